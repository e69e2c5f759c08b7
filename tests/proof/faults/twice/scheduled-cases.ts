import { randomUUID } from 'node:crypto'
import { uploadDocument } from '@guidon/contract/documents'
import { vi } from 'vitest'
import { reconcile } from '../../../../api/src/crm/mirror/reconcile.ts'
import { sealAudit } from '../../../../api/src/features/audit/seal-job.ts'
import { partitionTables } from '../../../../api/src/features/data-protection/partitions.ts'
import { sweepRecords } from '../../../../api/src/features/data-protection/retention.ts'
import { expireUploads } from '../../../../api/src/features/documents/resumable/expire-uploads.ts'
import { storeDocument } from '../../../../api/src/features/documents/store/store-document.ts'
import { sweepUploads } from '../../../../api/src/features/documents/store/sweep.ts'
import { openFolder } from '../../../../api/src/features/folders/open-folder.ts'
import { checkLinks } from '../../../../api/src/features/linking/check-links.ts'
import type { Job } from '../../../../api/src/jobs/job.ts'
import { limitedConcurrency } from '../../../support/concurrency.ts'
import { samplePdf } from '../../../support/files/made-pdf.ts'
import { create, idOf } from '../../../support/resumable.ts'
import { isOfLostJob, LOST_JOB } from './portal.ts'
import type { Portal } from './portal.ts'
import { waitUntilDone } from './queue-case.ts'
import type { QueueCase } from './queue-case.ts'

/** If the CRM lacks more rows than that, the reconciliation deletes none. */
const MISSING_ROWS_MAX = 5

/** The queues that run by a schedule. */
export function scheduledCases({
  testApp,
  org,
  box,
  veterans,
  veteransWith,
  storedVersions,
}: Portal) {
  const { sql } = testApp
  const twice = (job: Job) => Promise.all([testApp.send(job, null), testApp.send(job, null)])
  const valuesOf = async (query: string, ...values: unknown[]): Promise<string[]> => {
    const { rows } = await sql.query<{ value: string }>(`select ${query}`, values)
    return rows.map(({ value }) => value)
  }
  const logged = (message: string) =>
    testApp
      .logged()
      .split('\n')
      .filter((line) => line.includes(`"msg":"${message}"`))
      .map((line) => JSON.parse(line) as { count: number; kind?: string; partitions?: string[] })
  const countLogged = (message: string, kind?: string) =>
    logged(message)
      .filter((line) => line.kind === kind)
      .reduce((sum, { count }) => sum + count, 0)
  const times = (count: number, effect: string) => Array.from({ length: count }, () => effect)

  const lostFiles: string[] = []
  const expired: string[] = []
  const kept: string[] = []
  const oldMails: string[] = []
  const newMails: string[] = []
  const partitions: string[] = []
  const missingRows: string[] = []
  const unknownFolders: string[] = []
  let doubted: string[] = []
  let eventsToSeal: string[] = []

  const cases: Record<string, QueueCase> = {
    [sweepUploads.name]: {
      // Uploads whose own jobs are lost.
      cause: async () => {
        await box.fault({ mode: '503' })
        await limitedConcurrency(veterans.length, async (index) => {
          const client = await testApp.withSession(veterans[index]!)
          const file = { name: `${LOST_JOB}${randomUUID()}.pdf`, bytes: samplePdf() }
          lostFiles.push(file.name)
          await client.upload(uploadDocument, file, { fields: { documentType: 'Other' } })
        })
        const ofQueue = 'from pgboss.job where name = $1 and state'
        await vi.waitUntil(
          async () => {
            await sql.query(`delete ${ofQueue} in ('created', 'retry')`, [storeDocument.name])
            const active = await sql.query(`select ${ofQueue} = 'active'`, [storeDocument.name])
            return active.rowCount === 0
          },
          { timeout: 60_000 },
        )
        await box.fault({ mode: 'none' })
        await twice(sweepUploads)
      },
      effects: async () => ({
        found: (await storedVersions()).filter(isOfLostJob),
        expected: lostFiles,
      }),
    },
    [expireUploads.name]: {
      cause: async () => {
        await limitedConcurrency(veterans.length, async (index) => {
          const client = await testApp.withSession(veterans[index]!)
          expired.push(idOf(await create(client, 1_000)))
          kept.push(idOf(await create(client, 1_000)))
        })
        await sql.query(
          `update unfinished_uploads set expires_at = now() - interval '1 minute' where id = any($1)`,
          [expired],
        )
        await twice(expireUploads)
      },
      effects: async () => {
        const all = [...expired, ...kept]
        const left = await valuesOf('id as value from unfinished_uploads where id = any($1)', all)
        const count = countLogged('uploads: expired ones deleted')
        return {
          found: [...all.filter((id) => !left.includes(id)), ...times(count, 'logged')],
          expected: [...expired, ...times(expired.length, 'logged')],
        }
      },
    },
    [sweepRecords.name]: {
      cause: async () => {
        const insert = (age: string) =>
          sql.query<{ id: string }>(
            `insert into sent_mails (job_id, sent_at)
             select uuidv7(), now() - $1::interval from generate_series(1, $2) returning job_id as id`,
            [age, veterans.length],
          )
        oldMails.push(...(await insert('31 days')).rows.map(({ id }) => id))
        newMails.push(...(await insert('29 days')).rows.map(({ id }) => id))
        await twice(sweepRecords)
      },
      effects: async () => {
        const all = [...oldMails, ...newMails]
        const left = await valuesOf('job_id as value from sent_mails where job_id = any($1)', all)
        const count = countLogged('retention: rows deleted', 'sent_mails')
        return {
          found: [...all.filter((id) => !left.includes(id)), ...times(count, 'logged')],
          expected: [...oldMails, ...times(oldMails.length, 'logged')],
        }
      },
    },
    [partitionTables.name]: {
      cause: async () => {
        partitions.push(
          ...(await valuesOf(
            `format('%s_%s', name, to_char((now() at time zone 'UTC')::date + 3, 'YYYYMMDD')) as value
             from unnest(array['challenges', 'session_tokens']) as name`,
          )),
        )
        for (const name of partitions) await sql.query(`drop table partitions.${name}`)
        await twice(partitionTables)
      },
      effects: async () => ({
        found: [
          ...logged('database: partitions created').flatMap((line) => line.partitions ?? []),
          ...(await valuesOf(
            `'exists: ' || relname as value from pg_class where relname = any($1)`,
            partitions,
          )),
        ],
        expected: [...partitions, ...partitions.map((name) => `exists: ${name}`)],
      }),
    },
    [reconcile.name]: {
      // Appointments that the CRM has deleted without a trace.
      cause: async () => {
        const contacts = await valuesOf(
          'contact_id as value from links join users on users.id = user_id where email = any($1)',
          veteransWith('in the mirror').map(({ email }) => email),
        )
        for (const contactId of contacts.slice(0, MISSING_ROWS_MAX)) {
          const appointment = { contactId, date: '2031-05-07', time: '09:30' }
          const id = await org.staff('add-appointment', appointment)
          org.purge('Appointment__c', [id])
          missingRows.push(id)
          await sql.query(
            `insert into crm_appointment (id, modified_at, deleted, contact_id, date, time, scheduled)
             values ($1, now() - interval '1 day', false, $2, $3, $4, true)`,
            [id, contactId, appointment.date, appointment.time],
          )
        }
        await twice(reconcile)
      },
      effects: async () => ({
        found: [
          ...(await valuesOf(
            `'deleted: ' || id as value from crm_appointment where deleted and id = any($1)`,
            missingRows,
          )),
          ...(await valuesOf(
            `'notice: ' || subject_id as value from notices where event = 'appointmentCancelled'`,
          )),
          ...times(countLogged('crm: mirror differed, rows repaired', 'appointment'), 'logged'),
        ],
        expected: missingRows.flatMap((id) => [`deleted: ${id}`, `notice: ${id}`, 'logged']),
      }),
    },
    [checkLinks.name]: {
      // Contacts whose email staff have changed since.
      cause: async () => {
        doubted = await valuesOf(
          `user_id as value from links where contact_id in (
             select id from crm_contact where email = any($1))`,
          veteransWith('in the mirror').map(({ email }) => email),
        )
        await sql.query(
          `update crm_contact set email = 'changed@example.com'
           where id in (select contact_id from links where user_id = any($1))`,
          [doubted],
        )
        await Promise.all([testApp.send(checkLinks, {}), testApp.send(checkLinks, {})])
      },
      effects: async () => ({
        found: await valuesOf(
          `subject_id as value from audit_events
           where event = 'link_questioned' and details ->> 'question' = 'ruleChanged'`,
        ),
        expected: doubted,
      }),
    },
    [openFolder.name]: {
      // Folders that Box does not have.
      cause: async () => {
        const ids = await valuesOf(
          'id as value from users where email = any($1)',
          veterans.map(({ email }) => email),
        )
        for (const userId of ids) {
          const folderId = String(900_000 + unknownFolders.length)
          unknownFolders.push(`${userId}: ${folderId} is gone`)
          await testApp.send(openFolder, { userId, folderId })
        }
      },
      effects: async () => ({
        found: await valuesOf(
          `user_id || ': ' || folder_id || ' is ' || problem as value from box_folders
           where problem is not null`,
        ),
        expected: unknownFolders,
      }),
    },
    [sealAudit.name]: {
      cause: async () => {
        eventsToSeal = await valuesOf('id as value from audit_events')
        // An event is sealed when all transactions that are older than it have ended.
        await vi.waitUntil(
          async () => {
            await twice(sealAudit)
            await waitUntilDone(sql)
            return (await valuesOf(UNSEALED, eventsToSeal)).length === 0
          },
          { timeout: 60_000 },
        )
      },
      effects: async () => {
        const [sealed] = await valuesOf('coalesce(sum(events), 0)::int as value from audit_seals')
        const expected = await valuesOf(
          `'event' as value from audit_events where ${IS_SEALED} or id = any($1)`,
          eventsToSeal,
        )
        const { broken } = await testApp.admin.audit.verify()
        return { found: [...times(Number(sealed), 'event'), ...(broken ? [broken] : [])], expected }
      },
    },
  }
  return cases
}

const IS_SEALED = `(transaction, id) <= (
  select until_transaction, until_id from audit_seals order by number desc limit 1)`
const UNSEALED = `id as value from audit_events where id = any($1) and (${IS_SEALED}) is not true`
