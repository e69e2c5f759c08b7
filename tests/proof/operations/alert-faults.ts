import { createHash, randomUUID } from 'node:crypto'
import { checkAuth, login } from '@guidon/contract/auth'
import { requestContact } from '@guidon/contract/contact'
import { expect, vi } from 'vitest'
import { alternativeName } from '../../../api/src/features/documents/store/store-document.ts'
import { concurrently, limitedConcurrency } from '../../support/concurrency.ts'
import { samplePdf } from '../../support/files/made-pdf.ts'
import type { TestClient } from '../../support/test-client.ts'
import { databaseFaults } from './alert-database-faults.ts'
import type { AlertFault, AlertStack } from './alert-stack.ts'

/** Repeats the statement until it returns or changes a row. */
const waitForRows = (alertStack: AlertStack, text: string) =>
  vi.waitUntil(async () => (await alertStack.sql(text)) > 0, { timeout: 60_000, interval: 200 })

const signIn = (alertStack: AlertStack) =>
  alertStack.newClient().call(login, { body: alertStack.veteran() })

let client: TestClient
let releaseLock: (() => Promise<void>) | undefined
let conflictingFiles: string[] = []
let emptied: { id: string; Portal_User_Id__c: string }
let archiveFailures = 0
const DAY_SECONDS = 86_400
const STAFF = randomUUID()

interface Contact {
  Id: string
  Portal_User_Id__c: string
}

/** As one member of staff does them, for as many accounts. */
const actionsOfStaff = (counts: Record<string, number>) => {
  const values = Object.entries(counts).map(([event, count]) => `('${event}', ${count})`)
  return `insert into audit_events (event, actor_id, subject_id, details)
    select event, '${STAFF}', gen_random_uuid(), '{}'
    from (values ${values.join(', ')}) as action (event, count), generate_series(1, count)`
}

const makeActionsOlder = (alertStack: AlertStack) =>
  alertStack.sql(`update audit_events set at = at - interval '1 hour' where actor_id = '${STAFF}'`)

/** Causes the real fault behind each alert; where only an age matters, it makes the rows older. */
export const faults: Record<string, AlertFault> = {
  GuidonApiDown: {
    cause: ({ stack }) => stack.api[0]!.kill(),
    repair: ({ stack }) => stack.api[0]!.start(),
  },
  GuidonWorkerDown: {
    cause: ({ stack }) => stack.workers[0]!.kill(),
    repair: ({ stack }) => stack.workers[0]!.start(),
  },
  GuidonNotReady: {
    cause: (alertStack) => alertStack.stopDatabase(),
    repair: (alertStack) => alertStack.startDatabase(),
  },
  GuidonPortalUnreachable: {
    cause: ({ stack }) => stack.api[0]!.kill(),
    repair: ({ stack }) => stack.api[0]!.start(),
  },
  GuidonErrors: {
    cause: async (alertStack) => {
      client = await alertStack.signedIn()
      await alertStack.sql('revoke select on sessions from guidon_app')
    },
    repeat: () => concurrently(5, () => client.call(checkAuth, {})),
    repair: (alertStack) => alertStack.sql('grant select on sessions to guidon_app'),
  },
  GuidonUploadsFailing: {
    cause: async (alertStack) => {
      client = await alertStack.signedIn()
      await alertStack.sql('revoke insert on uploads from guidon_app')
    },
    repeat: async (alertStack) => {
      await expect(alertStack.upload(client)).rejects.toThrow('the upload returned 500')
    },
    repair: (alertStack) => alertStack.sql('grant insert on uploads to guidon_app'),
  },
  GuidonSlow: {
    cause: async (alertStack) => {
      client = await alertStack.signedIn()
    },
    repeat: async (alertStack) => {
      const release = await alertStack.hold('begin; lock table sessions in access exclusive mode')
      const responses = concurrently(5, () => client.call(checkAuth, {}))
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await release()
      await responses
    },
    repair: async () => undefined,
  },
  GuidonSignInsRefused: {
    cause: async () => undefined,
    repeat: (alertStack) =>
      concurrently(12, () => {
        const email = `${randomUUID()}@example.com`
        return alertStack
          .newClient()
          .call(login, { body: { email, password: 'Wrong-Lantern-42!' } })
      }),
    repair: async () => undefined,
  },
  GuidonJobsGivenUp: {
    cause: async (alertStack) => {
      await alertStack.mailbox.fault('fail')
      await signIn(alertStack)
      await waitForRows(
        alertStack,
        `update pgboss.job set retry_limit = 0, start_after = now()
         where name = 'auth.send-code' and state = 'retry'`,
      )
    },
    repair: async (alertStack) => {
      await alertStack.mailbox.fault('none')
      await alertStack.stack.admin(['send-again', '--queue', 'auth.send-code'])
    },
  },
  GuidonJobsWaiting: {
    cause: async (alertStack) => {
      client = await alertStack.signedIn()
      await alertStack.box.fault({ mode: 'hang' })
      await limitedConcurrency(12, () => alertStack.upload(client), 3)
      await alertStack.box.waitForHeldCall()
      await waitForRows(
        alertStack,
        `update pgboss.job set start_after = now() - interval '10 minutes'
         where name = 'documents.store' and state = 'created'`,
      )
    },
    repair: (alertStack) => alertStack.box.fault({ mode: 'none' }),
  },
  GuidonCrmStopped: {
    cause: ({ salesforce }) => salesforce.hide(['Contact.Box_Folder_Id__c']),
    repair: async ({ salesforce, stack }) => {
      await salesforce.hide([])
      // An entry that was sent before the check noticed the missing field is refused.
      await stack.admin(['crm', 'send-again'])
    },
  },
  GuidonMirrorLag: {
    cause: async (alertStack) => {
      await alertStack.salesforce.fault({ mode: 'down' })
      // A read that is running would complete and reset the age, so wait until one has failed.
      await waitForRows(alertStack, `select from crm_sync_cursor where failure is not null`)
      // The kinds that every poll reads; the others would take minutes to clear.
      await alertStack.sql(
        `update crm_sync_cursor set completed_at = now() - interval '1 hour'
         where kind in ('appointment', 'claim', 'contact', 'document')`,
      )
    },
    repair: (alertStack) => alertStack.salesforce.fault({ mode: 'none' }),
  },
  GuidonOutboxStuck: {
    cause: async (alertStack) => {
      client = await alertStack.signedIn()
      await alertStack.salesforce.fault({ mode: 'down' })
      await client.call(requestContact, { body: { method: 'Call' } })
      await alertStack.sql(
        `update crm_outbox set created_at = now() - interval '1 hour' where sent_at is null`,
      )
    },
    repair: (alertStack) => alertStack.salesforce.fault({ mode: 'none' }),
  },
  GuidonOutboxRefused: {
    cause: async (alertStack) => {
      const veteran = alertStack.veteran()
      client = await alertStack.signedIn(veteran)
      const [contact] = await alertStack.salesforce.rows<Contact>('Contact', {
        Email: veteran.email,
      })
      // The request names its contact by this id.
      emptied = { id: contact!.Id, Portal_User_Id__c: contact!.Portal_User_Id__c }
      await alertStack.salesforce.staff('change-row', { ...emptied, Portal_User_Id__c: null })
      await client.call(requestContact, { body: { method: 'Call' } })
    },
    repair: async ({ salesforce, stack }) => {
      await salesforce.staff('change-row', emptied)
      await stack.admin(['crm', 'send-again'])
    },
  },
  GuidonLinkWaiting: {
    cause: async (alertStack) => {
      const veteran = alertStack.veteran()
      await alertStack.signedIn(veteran)
      const [contact] = await alertStack.salesforce.rows<Contact>('Contact', {
        Email: veteran.email,
      })
      await alertStack.salesforce.staff('delete-row', { id: contact!.Id })
      await waitForRows(
        alertStack,
        `update links set asked_at = now() - interval '2 days' where question is not null returning id`,
      )
    },
    repair: (alertStack) =>
      alertStack.sql(
        'update links set question = null, asked_at = null where question is not null',
      ),
  },
  GuidonUploadsStuck: {
    cause: async (alertStack) => {
      client = await alertStack.signedIn()
      await alertStack.box.fault({ mode: 'down' })
      await alertStack.upload(client)
      await alertStack.sql(
        `update uploads set received_at = now() - interval '1 hour' where stored_at is null`,
      )
    },
    repair: (alertStack) => alertStack.box.fault({ mode: 'none' }),
  },
  GuidonUploadsRefused: {
    cause: async (alertStack) => {
      client = await alertStack.signedIn()
      const known = await alertStack.box.folders()
      await alertStack.upload(client)
      await waitForRows(
        alertStack,
        `select where not exists (select from uploads where stored_at is null)`,
      )
      const folder = (await alertStack.box.folders()).find(
        ({ id, name }) => name.length > 2 && !known.some((before) => before.id === id),
      )!
      // Other files already have the document's name and its fallback name.
      const [name, sha1] = ['taken.pdf', createHash('sha1').update(samplePdf(1)).digest('hex')]
      const files = [name, alternativeName(name, sha1)]
      const added = files.map((file) => alertStack.box.addFile(folder.id, file, 'other bytes'))
      conflictingFiles = (await Promise.all(added)).map(({ id }) => id)
      await alertStack.upload(client, name)
    },
    repair: async (alertStack) => {
      for (const id of conflictingFiles) await alertStack.box.deleteFile(id)
      await alertStack.stack.admin(['files', 'send-again'])
    },
  },
  GuidonFilesMisplaced: {
    cause: (alertStack) =>
      alertStack.sql(
        `insert into misplaced_files (user_id, file_id) select id, '1' from users limit 1 returning file_id`,
      ),
    repair: (alertStack) => alertStack.sql('delete from misplaced_files returning file_id'),
  },
  GuidonMailNotSent: {
    cause: async (alertStack) => {
      await alertStack.mailbox.fault('fail')
      await signIn(alertStack)
    },
    repair: (alertStack) => alertStack.mailbox.fault('none'),
  },
  GuidonMailExpired: {
    cause: (alertStack) => alertStack.mailbox.fault('fail'),
    repeat: async (alertStack) => {
      await signIn(alertStack)
      await waitForRows(
        alertStack,
        `update challenges set expires_at = now() where expires_at > now() and exists (
           select from pgboss.job where name = 'auth.send-code' and state = 'retry'
             and data ->> 'challengeId' = challenges.id::text)`,
      )
      await alertStack.sql(
        `update pgboss.job set start_after = now() where name = 'auth.send-code' and state = 'retry'`,
      )
    },
    repair: (alertStack) => alertStack.mailbox.fault('none'),
  },
  GuidonMailLate: {
    cause: async (alertStack) => {
      await alertStack.mailbox.fault('fail')
      await signIn(alertStack)
      await waitForRows(
        alertStack,
        `update pgboss.job set created_on = created_on - interval '2 minutes'
         where name = 'auth.send-code' and state = 'retry'`,
      )
      await alertStack.mailbox.fault('none')
    },
    repair: async () => undefined,
  },
  GuidonCrmQuota: {
    cause: ({ salesforce }) => salesforce.setUsed(85_000),
    repair: ({ salesforce }) => salesforce.setUsed(100),
  },
  GuidonFileStoreThrottled: {
    cause: async (alertStack) => {
      client = await alertStack.signedIn()
      await alertStack.box.fault({ mode: '429' })
      await alertStack.upload(client)
    },
    repair: (alertStack) => alertStack.box.fault({ mode: 'none' }),
  },
  GuidonScannerDown: {
    cause: (alertStack) => alertStack.stopScanner(),
    repair: (alertStack) => alertStack.startScanner(),
  },
  GuidonCheckersDown: {
    cause: ({ stack }) => stack.checker.process.kill(),
    repair: ({ stack }) => stack.checker.process.start(),
  },
  GuidonSignaturesOld: {
    cause: async (alertStack) => {
      await alertStack.stopScanner()
      await alertStack.startScanner(new Date(Date.now() - 8 * DAY_SECONDS * 1000))
    },
    repair: async (alertStack) => {
      await alertStack.stopScanner()
      await alertStack.startScanner()
    },
  },
  GuidonDiskNearlyFull: {
    cause: async ({ exporters }) => exporters.fillDisk(),
    repair: async ({ exporters }) => exporters.emptyDisk(),
  },
  GuidonBackupOld: {
    cause: async ({ exporters }) => exporters.reportBackup({ ageSeconds: 31 * 3600 }),
    repair: async ({ exporters }) => exporters.reportBackup(),
  },
  GuidonWalArchiveFailing: {
    cause: async () => undefined,
    repeat: async ({ exporters }) => {
      archiveFailures += 1
      exporters.reportBackup({ archiveFailures, archiveAgeSeconds: 700 })
    },
    repair: async ({ exporters }) => exporters.reportBackup({ archiveFailures }),
  },
  ...databaseFaults,
  GuidonCertificateExpires: {
    cause: async ({ exporters }) => exporters.useCertificate('expiring'),
    repair: async ({ exporters }) => exporters.useCertificate('fresh'),
  },
  GuidonAuditUnsealed: {
    cause: async (alertStack) => {
      releaseLock = await alertStack.hold(`select pg_advisory_lock(hashtext('guidon.audit.seal'))`)
      await alertStack.signedIn()
      await waitForRows(alertStack, `update audit_events set at = at - interval '1 hour'`)
    },
    repair: () => releaseLock!(),
  },
  GuidonStaffVolume: {
    cause: (alertStack) =>
      alertStack.sql(
        actionsOfStaff({ document_viewed: 301, users_listed: 201, link_confirmed: 61 }),
      ),
    repair: makeActionsOlder,
  },
  GuidonStaffUnusual: {
    cause: (alertStack) => alertStack.sql(actionsOfStaff({ password_set_by_staff: 21 })),
    repair: makeActionsOlder,
  },
  GuidonNotMeasured: {
    cause: (alertStack) => alertStack.sql('revoke select on crm_outbox from guidon_app'),
    repair: (alertStack) => alertStack.sql('grant select on crm_outbox to guidon_app'),
  },
}
