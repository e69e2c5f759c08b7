import { createHash, randomUUID } from 'node:crypto'
import { checkAuth, login } from '@guidon/contract/auth'
import { requestContact } from '@guidon/contract/contact'
import { vi } from 'vitest'
import { besides } from '../src/features/documents/store-document.ts'
import { samplePdf } from '../test/files/made-pdf.ts'
import type { TestClient } from '../test/test-client.ts'
import type { AlertStack } from './alert-stack.ts'
import { atOnce, limitedConcurrency } from './concurrency.ts'

interface Trouble {
  cause(testApp: AlertStack): Promise<unknown>
  /** What people go on doing until it is noticed. */
  meanwhile?(testApp: AlertStack): Promise<unknown>
  mend(testApp: AlertStack): Promise<unknown>
}

/** Waits until a statement has touched a row: what it speaks of is on its way. */
const touched = (testApp: AlertStack, text: string) =>
  vi.waitUntil(async () => (await testApp.sql(text)) > 0, { timeout: 20_000, interval: 200 })

const signIn = (testApp: AlertStack) => testApp.newClient().call(login, { body: testApp.veteran() })

let client: TestClient
let letGo: (() => Promise<void>) | undefined
let inTheWay: string[] = []
let removed = ''

interface Contact {
  Id: string
  Portal_User_Id__c: string
}

/** For each alert the real thing. Where only an age is at stake, what waits is made older. */
export const faults: Record<string, Trouble> = {
  GuidonApiDown: {
    cause: ({ stack }) => stack.api[0]!.kill(),
    mend: ({ stack }) => stack.api[0]!.start(),
  },
  GuidonWorkerDown: {
    cause: ({ stack }) => stack.workers[0]!.kill(),
    mend: ({ stack }) => stack.workers[0]!.start(),
  },
  GuidonNotReady: {
    cause: (testApp) => testApp.stopDatabase(),
    mend: (testApp) => testApp.startDatabase(),
  },
  GuidonErrors: {
    cause: async (testApp) => {
      client = await testApp.signedIn()
      await testApp.sql('revoke select on sessions from guidon_app')
    },
    meanwhile: () => atOnce(5, () => client.call(checkAuth, {})),
    mend: (testApp) => testApp.sql('grant select on sessions to guidon_app'),
  },
  GuidonSlow: {
    cause: async (testApp) => {
      client = await testApp.signedIn()
    },
    meanwhile: async (testApp) => {
      const release = await testApp.run('begin; lock table sessions in access exclusive mode')
      const answers = atOnce(5, () => client.call(checkAuth, {}))
      // Nothing tells that an answer is late but the clock.
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await release()
      await answers
    },
    mend: async () => undefined,
  },
  GuidonSignInsRefused: {
    cause: async () => undefined,
    meanwhile: (testApp) =>
      atOnce(12, () => {
        const email = `${randomUUID()}@example.com`
        return testApp.newClient().call(login, { body: { email, password: 'Wrong-Lantern-42!' } })
      }),
    mend: async () => undefined,
  },
  GuidonJobsGivenUp: {
    cause: async (testApp) => {
      await testApp.mailbox.fault('fail')
      await signIn(testApp)
      await touched(
        testApp,
        `update pgboss.job set retry_limit = 0, start_after = now()
         where name = 'auth.send-code' and state = 'retry'`,
      )
    },
    mend: async (testApp) => {
      await testApp.mailbox.fault('none')
      await testApp.stack.admin(['send-again', '--queue', 'auth.send-code'])
    },
  },
  GuidonJobsWaiting: {
    cause: async (testApp) => {
      client = await testApp.signedIn()
      await testApp.box.fault({ mode: 'hang' })
      await limitedConcurrency(12, () => testApp.upload(client), 3)
      await testApp.box.holding()
      await touched(
        testApp,
        `update pgboss.job set start_after = now() - interval '10 minutes'
         where name = 'documents.store' and state = 'created'`,
      )
    },
    mend: (testApp) => testApp.box.fault({ mode: 'none' }),
  },
  GuidonMirrorLag: {
    cause: async (testApp) => {
      await testApp.salesforce.fault({ mode: 'down' })
      // One that is being read right now would be read to its end, and be young again.
      await touched(testApp, `select from crm_sync_cursor where failure is not null`)
      await testApp.sql(`update crm_sync_cursor set completed_at = now() - interval '1 hour'`)
    },
    mend: (testApp) => testApp.salesforce.fault({ mode: 'none' }),
  },
  GuidonOutboxStuck: {
    cause: async (testApp) => {
      client = await testApp.signedIn()
      await testApp.salesforce.fault({ mode: 'down' })
      await client.call(requestContact, { body: { method: 'Call' } })
      await testApp.sql(
        `update crm_outbox set created_at = now() - interval '1 hour' where sent_at is null`,
      )
    },
    mend: (testApp) => testApp.salesforce.fault({ mode: 'none' }),
  },
  GuidonOutboxRefused: {
    cause: async (testApp) => {
      const veteran = testApp.veteran()
      client = await testApp.signedIn(veteran)
      const [contact] = await testApp.salesforce.rows<Contact>('Contact', { Email: veteran.email })
      await testApp.salesforce.staff('delete-row', { id: contact!.Id })
      removed = contact!.Portal_User_Id__c
      await client.call(requestContact, { body: { method: 'Call' } })
    },
    mend: async ({ salesforce, stack }) => {
      const row = { LastName: 'Whitfield', Portal_User_Id__c: removed }
      await salesforce.staff('add-contact', row)
      await stack.admin(['crm', 'send-again'])
    },
  },
  GuidonUploadsStuck: {
    cause: async (testApp) => {
      client = await testApp.signedIn()
      await testApp.box.fault({ mode: 'down' })
      await testApp.upload(client)
      await testApp.sql(
        `update uploads set received_at = now() - interval '1 hour' where stored_at is null`,
      )
    },
    mend: (testApp) => testApp.box.fault({ mode: 'none' }),
  },
  GuidonUploadsRefused: {
    cause: async (testApp) => {
      client = await testApp.signedIn()
      const known = await testApp.box.folders()
      await testApp.upload(client)
      await touched(
        testApp,
        `select where not exists (select from uploads where stored_at is null)`,
      )
      const folder = (await testApp.box.folders()).find(
        (one) => !known.some(({ id }) => id === one.id),
      )!
      // The provider's staff have other files under the name, and under the one that is taken instead.
      const [name, sha1] = ['taken.pdf', createHash('sha1').update(samplePdf(1)).digest('hex')]
      const files = [name, besides(name, sha1)]
      const added = files.map((file) => testApp.box.addFile(folder.id, file, 'other bytes'))
      inTheWay = (await Promise.all(added)).map(({ id }) => id)
      await testApp.upload(client, name)
    },
    mend: async (testApp) => {
      for (const id of inTheWay) await testApp.box.deleteFile(id)
      await testApp.stack.admin(['files', 'send-again'])
    },
  },
  GuidonMailNotSent: {
    cause: async (testApp) => {
      await testApp.mailbox.fault('fail')
      await signIn(testApp)
    },
    mend: (testApp) => testApp.mailbox.fault('none'),
  },
  GuidonMailExpired: {
    cause: (testApp) => testApp.mailbox.fault('fail'),
    meanwhile: async (testApp) => {
      await signIn(testApp)
      await touched(
        testApp,
        `update challenges set expires_at = now() where expires_at > now() and exists (
           select from pgboss.job where name = 'auth.send-code' and state = 'retry'
             and data ->> 'challengeId' = challenges.id::text)`,
      )
      await testApp.sql(
        `update pgboss.job set start_after = now() where name = 'auth.send-code' and state = 'retry'`,
      )
    },
    mend: (testApp) => testApp.mailbox.fault('none'),
  },
  GuidonMailLate: {
    cause: async (testApp) => {
      await testApp.mailbox.fault('fail')
      await signIn(testApp)
      await touched(
        testApp,
        `update pgboss.job set created_on = created_on - interval '2 minutes'
         where name = 'auth.send-code' and state = 'retry'`,
      )
      await testApp.mailbox.fault('none')
    },
    mend: async () => undefined,
  },
  GuidonCrmQuota: {
    cause: ({ salesforce }) => salesforce.setUsed(85_000),
    mend: ({ salesforce }) => salesforce.setUsed(100),
  },
  GuidonFileStoreThrottled: {
    cause: async (testApp) => {
      client = await testApp.signedIn()
      await testApp.box.fault({ mode: '429' })
      await testApp.upload(client)
    },
    mend: (testApp) => testApp.box.fault({ mode: 'none' }),
  },
  GuidonScannerDown: {
    cause: (testApp) => testApp.stopScanner(),
    mend: (testApp) => testApp.startScanner(),
  },
  GuidonAuditUnsealed: {
    cause: async (testApp) => {
      letGo = await testApp.run(`select pg_advisory_lock(hashtext('guidon.audit.seal'))`)
      await testApp.signedIn()
      await touched(testApp, `update audit_events set at = at - interval '1 hour'`)
    },
    mend: () => letGo!(),
  },
  GuidonNotMeasured: {
    cause: (testApp) => testApp.sql('revoke select on crm_outbox from guidon_app'),
    mend: (testApp) => testApp.sql('grant select on crm_outbox to guidon_app'),
  },
}
