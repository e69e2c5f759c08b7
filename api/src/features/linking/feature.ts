import { sql } from 'kysely'
import { rowsOf } from '../../db/database.ts'
import { needingCrm } from '../../jobs/job.ts'
import { gaugeSource } from '../../platform/gauge.ts'
import { feature } from '../feature.ts'
import { checkLinks, checkLinksWork } from './check-links.ts'
import { findContact, findContactWork } from './find-contact.ts'
import { sendContact } from './linking.ts'
import { confirmingLinks } from './links-to-confirm.ts'
import { oldestAskedSeconds } from './links.sql.ts'
import { notMe } from './not-me.ts'
import { linkingRoutes } from './routes.ts'
import { sendLinkNews, sendLinkNewsWork } from './send-link-news.ts'

/** The bond between an account and its contact in the CRM. */
export const linking = feature({
  name: 'linking',
  tables: {
    links: {
      export: 'links',
      erase: 'cascade',
      retention: 'kept: as long as the account, so that it is known who saw which records',
    },
  },
  jobs: [findContact, sendLinkNews, checkLinks],
  serve: (app, parts) =>
    linkingRoutes(app, {
      db: parts.db,
      linksToConfirm: confirmingLinks(parts),
      notMe: notMe(parts),
    }),
  work: (parts) => [
    needingCrm(findContactWork(parts)),
    sendLinkNewsWork(parts),
    checkLinksWork(parts),
  ],
  crm: ({ links }) => ({ contact: sendContact(links) }),
  gauges: ({ db }) => [
    gaugeSource({
      sourceName: 'links',
      gauges: { guidon_links_oldest_seconds: 'Age of the oldest link that waits for staff' },
      read: async () => ({ guidon_links_oldest_seconds: await oldestAskedSeconds(db) }),
    }),
  ],
  export: () => ({
    read: async (tx, userId) => ({
      links: await rowsOf(
        tx,
        sql`select contact_id as "contact", origin, state, question, asked_at as "askedAt",
            created_at as "createdAt", live_at as "liveAt", decision, decision_reason as "reason", decided_at as "decidedAt",
            ended_at as "endedAt"
          from links where user_id = ${userId} order by id`,
      ),
    }),
  }),
})
