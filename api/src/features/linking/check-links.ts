import { z } from 'zod'
import { currentLink } from '../../crm/links/links.sql.ts'
import type { Links } from '../../crm/links/links.ts'
import { findContact } from '../../crm/mirror/contacts.sql.ts'
import type { Database } from '../../db/database.ts'
import { lockUsers } from '../../db/users.ts'
import { job, work } from '../../jobs/job.ts'
import type { Log } from '../../platform/log.ts'
import { unconfirmedLinks } from './links.sql.ts'

/** After the nightly comparison of the mirror has begun. */
export const checkLinks = job({
  name: 'linking.check-links',
  data: z.object({}),
  every: '40 9 * * *',
  options: { retryLimit: 2, retryDelay: 60, expireInSeconds: 3_600 },
})

interface Parts {
  db: Database
  links: Pick<Links, 'answer' | 'question'>
  log: Log
}

/** Puts the links that the rule would not make today before staff. They stay live: a changed email is no theft. */
export function checkLinksWork({ db, links, log }: Parts) {
  return work(checkLinks, async () => {
    let count = 0
    for (let after: string | null = null; ;) {
      const page = await unconfirmedLinks(db, after)
      for (const { id, userId, contactId, isDoubtful } of page) {
        if (!isDoubtful) continue
        const contact = await findContact(db, contactId)
        const rule = contact && (await links.answer(db, userId, contact))
        if (!rule || rule.answer === 'yes') continue
        await db.transaction().execute(async (tx) => {
          await lockUsers(tx, [userId])
          if ((await currentLink(tx, userId))?.id !== id) return
          await links.question(tx, id, 'ruleChanged')
          count += 1
        })
      }
      after = page.at(-1)?.id ?? null
      if (after === null) break
    }
    if (count > 0) log.warn({ count }, 'links: the rule would not make them today')
  })
}
