import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { storeRows } from '../../api/src/crm/mirror/store-rows.ts'
import type {
  AppointmentRow,
  ClaimRow,
  ContactRow,
  DocumentRow,
  Kind,
  RowOf,
} from '../../api/src/crm/port.ts'
import { sendNotice } from '../../api/src/features/auth/send-notice.ts'
import { collect, collectDue } from '../../api/src/features/notices/collect.ts'
import { noticesFromMirror } from '../../api/src/features/notices/from-mirror.ts'
import { addDueReminders } from '../../api/src/features/notices/remind.ts'
import { sendNoticesWork } from '../../api/src/features/notices/send-notices.ts'
import type { Jobs } from '../../api/src/jobs/queues.ts'
import { sendOnce } from '../../api/src/mail/send-once.ts'
import { smtpMail } from '../../api/src/mail/smtp/smtp-mail.ts'
import { smtpAccess } from '../../api/src/main/config/access.ts'
import { readBrand } from '../../api/src/platform/brand.ts'
import { createLog } from '../../api/src/platform/log.ts'
import { tokens as createTokens } from '../../api/src/platform/tokens.ts'
import { afterFile } from './after-file.ts'
import type { TestApp } from './boot.ts'
import { databaseAt } from './databases.ts'
import { linkTo, quietLinks } from './links.ts'
import type { TestLink } from './links.ts'

/** The queue in which pg-boss keeps jobs that a schedule has just made. */
const SCHEDULED_BY_PG_BOSS = '__pgboss__send-it'

/** A Tuesday: 10:00 in California, 13:00 in New York. */
export const TUESDAY = '2026-11-17T18:00:00Z'

const minutesAfter = (time: string, minutes: number) =>
  new Date(Date.parse(time) + minutes * 60_000).toISOString()

/** Notices of the real app at a time that a test chooses. The relay, the database and all queries are real. */
export function noticeFixtures(testApp: Pick<TestApp, 'account' | 'config' | 'sql'>) {
  const { config, sql } = testApp
  const db = databaseAt(config.DATABASE_URL, 3)
  const { brand, stages } = readBrand(config.BRAND_DIR)
  const tokens = createTokens(config.TOKEN_KEY)
  const mail = smtpMail(smtpAccess(config), brand.emailSender)
  afterFile(() => mail.close())
  let time = TUESDAY
  const now = async () => new Date(time)
  const collected: string[] = []
  let last = ''
  const jobs: Jobs = {
    send: async (_job, data) => void collected.push((data as { deliveryId: string }).deliveryId),
  }
  const send = sendOnce(db, mail)
  const parts = { db, jobs, tokens, brand, stages, portal: config.PUBLIC_URL, send }
  const work = sendNoticesWork(parts, now)
  const storeParts = {
    links: quietLinks,
    stages,
    onChanges: noticesFromMirror(now),
    log: createLog('silent', 'test'),
  }

  const common = (id: string) => ({ id, modifiedAt: time, deleted: false })

  return {
    db,
    tokens,
    at: (moment: string) => {
      time = moment
    },
    later: (minutes: number) => {
      time = minutesAfter(time, minutes)
    },
    store: <K extends Kind>(kind: K, ...rows: RowOf[K][]) =>
      db.transaction().execute((tx) => storeRows(tx, storeParts, kind, rows)),
    remind: () => addDueReminders(db, now),
    collect: () => collect({ db, jobs }, now),
    /** Collects what is due and sends it. Returns the outcomes of the emails. */
    async sendDue() {
      while ((await collect({ db, jobs }, now)) > 0);
      const outcomes: unknown[] = []
      for (const deliveryId of collected.splice(0)) {
        last = deliveryId
        outcomes.push(await work.run({ deliveryId }, { id: randomUUID() }))
      }
      return outcomes
    },
    /** Runs the last job again, as the queue does after a failure. */
    retry: async () => [await work.run({ deliveryId: last }, { id: randomUUID() })],
    /** For tests with a worker, whose schedule would collect by the real time. */
    async stopSchedule() {
      await sql.query(`delete from pgboss.schedule where name = $1`, [collectDue.name])
      const unfinished = `select from pgboss.job where state < 'completed' and name in ($1, $2)`
      const jobNames = [collectDue.name, SCHEDULED_BY_PG_BOSS]
      const isStopped = async () => (await sql.query(unfinished, jobNames)).rowCount === 0
      await vi.waitUntil(isStopped, { timeout: 60_000 })
    },
    /** Marks the first load of the mirror as complete; until then, its rows cause no notices. */
    loaded: () =>
      sql.query(`insert into crm_sync_cursor (kind, completed_at)
        values ('contact', now()), ('appointment', now()), ('document', now()), ('claim', now())
        on conflict (kind) do update set completed_at = now()`),
    /** An account that is linked to a contact. */
    async veteran(columns: Record<string, unknown> = {}, link: TestLink | 'none' = {}) {
      const { email } = await testApp.account()
      const contactId = `003${randomUUID().replaceAll('-', '').slice(0, 15)}`
      const names = Object.keys(columns)
      const { rows } = await sql.query<{ id: string }>(
        `update users set ${['email = $1', ...names.map((name, at) => `${name} = $${at + 2}`)].join(', ')}
         where email = $1 returning id`,
        [email, ...Object.values(columns)],
      )
      if (link !== 'none') await linkTo(sql, { email }, contactId, { since: '2026-01-01', ...link })
      return { email, contactId, userId: rows[0]!.id }
    },
    document: (
      contactId: string,
      id = newId('a01'),
      row: Partial<DocumentRow> = {},
    ): DocumentRow => ({
      ...common(id),
      contactId,
      portalDocumentId: null,
      name: 'Nexus letter for PTSD',
      type: 'Medical',
      boxFileId: null,
      lastUploadedAt: null,
      dueDate: null,
      reason: 'For your knee',
      status: 'requested',
      statusReason: null,
      ...row,
    }),
    appointment: (
      contactId: string,
      id = newId('a02'),
      row: Partial<AppointmentRow> = {},
    ): AppointmentRow => ({
      ...common(id),
      contactId,
      date: '2026-12-15',
      time: '09:30',
      clinicName: 'Harbor Sleep Clinic',
      clinicPhone: null,
      scheduled: true,
      ...row,
    }),
    claim: (contactId: string, id = newId('a03'), row: Partial<ClaimRow> = {}): ClaimRow => ({
      ...common(id),
      contactId,
      title: 'Tinnitus',
      stage: stages[0]!.key,
      stageLabel: 'Tinnitus review',
      stageSince: null,
      stageReason: null,
      nextStep: null,
      closed: false,
      ...row,
    }),
    contact: (id: string, row: Partial<ContactRow> = {}): ContactRow => ({
      ...common(id),
      portalUserId: null,
      firstName: 'James',
      lastName: 'Whitfield',
      email: null,
      phone: null,
      street: null,
      city: null,
      state: 'California',
      zip: null,
      caseManagerId: null,
      boxFolderId: null,
      deceased: null,
      masterId: null,
      ...row,
    }),
    stages,
  }
}

export const newId = (prefix: string) => `${prefix}${randomUUID().replaceAll('-', '').slice(0, 15)}`

/** An email that the preferences cannot turn off. */
export const sendSecurityMail = ({ send }: Pick<TestApp, 'send'>, userId: string) =>
  send(sendNotice, { userId, notice: 'password-changed' })
