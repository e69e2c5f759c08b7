import { collectDue } from '../../../../api/src/features/notices/collect.ts'
import { readReports } from '../../../../api/src/features/notices/read-reports.ts'
import { remind } from '../../../../api/src/features/notices/remind.ts'
import { sendNotices } from '../../../../api/src/features/notices/send-notices.ts'
import { boot } from '../../../support/boot.ts'
import { limitedConcurrency } from '../../../support/concurrency.ts'
import { newMailbox, reportTo } from '../../../support/mailbox.ts'
import { noticeFixtures, TUESDAY } from '../../../support/notices.ts'
import { workerProcesses } from '../notices/processes.ts'
import { deleteSchedules, waitUntilDone } from './queue-case.ts'
import type { QueueCase } from './queue-case.ts'

/** Of one email with both notices. */
const SUBJECT = 'Your appointment is tomorrow, and 1 other update'

/** The jobs of notices, in two worker processes at daytime: at night, they only postpone. */
export async function noticeCases(veteranCount: number) {
  const mailbox = await newMailbox()
  const environment = { ...mailbox.environment, BOUNCE_ADDRESS: 'bounces@example.org' }
  const testApp = await boot({ worker: false, environment })
  const { sql, send } = testApp
  const fixtures = noticeFixtures(testApp)
  await deleteSchedules(sql)
  await sql.query(`create table proof_clock as select $1::timestamptz + interval '1 hour' as at`, [
    TUESDAY,
  ])
  await sql.query('grant select on proof_clock to guidon_app')
  await workerProcesses(testApp.config, 2)
  const veterans = await limitedConcurrency(veteranCount, () => fixtures.veteran())
  const userIds = veterans.map(({ userId }) => userId)

  const emails = async () => {
    const mails = await Promise.all(
      veterans.map(({ email }) => mailbox.mailsTo(email, { waitMs: 0 })),
    )
    return mails.flatMap((toOne, index) =>
      toOne.map((mail) => ({ ...mail, userId: userIds[index]! })),
    )
  }
  const putReports = async (...actions: string[]) => {
    for (const { returnPath } of await emails())
      for (const action of actions) await mailbox.putReport(reportTo(returnPath, { action }))
  }
  const rowsOf = async (query: string): Promise<string[]> => {
    const { rows } = await sql.query<{ effect: string }>(`select ${query}`)
    return rows.map(({ effect }) => effect)
  }
  const states = () =>
    rowsOf(`user_id || ' ' || state || ' since ' || changed_at as effect from deliveries`)
  let reported: string[] = []

  const cases: Record<string, QueueCase> = {
    [remind.name]: {
      cause: async () => {
        const tomorrow = { date: '2026-11-18' }
        await fixtures.store(
          'appointment',
          ...veterans.map(({ contactId }) => fixtures.appointment(contactId, undefined, tomorrow)),
        )
        await fixtures.loaded()
        await Promise.all([send(remind, null), send(remind, null)])
      },
      effects: async () => ({
        found: await rowsOf(`user_id as effect from notices where event = 'appointmentTomorrow'`),
        expected: userIds,
      }),
    },
    [collectDue.name]: {
      cause: async () => {
        await fixtures.store(
          'document',
          ...veterans.map(({ contactId }) => fixtures.document(contactId)),
        )
        await Promise.all([send(collectDue, null), send(collectDue, null)])
      },
      effects: async () => ({
        found: await rowsOf('user_id as effect from deliveries'),
        expected: userIds,
      }),
    },
    [sendNotices.name]: {
      // `notices.collect` sends its jobs.
      cause: async () => {},
      effects: async () => ({
        found: (await emails()).map(({ userId, subject }) => `${userId} ${subject}`),
        expected: userIds.map((id) => `${id} ${SUBJECT}`),
      }),
    },
    [readReports.name]: {
      cause: async () => {
        await putReports('failed', 'failed')
        await Promise.all([send(readReports, null), send(readReports, null)])
        await waitUntilDone(sql)
        reported = (await states()).filter((state) => state.includes(' failed '))
      },
      // The worker deletes the reports last. One of a server that accepted the email earlier is late.
      undo: () => putReports('failed', 'delivered'),
      effects: async () => ({
        found: await states(),
        expected: reported.length === userIds.length ? reported : userIds,
      }),
    },
  }
  return { cases, sql }
}
