import { createHash, randomUUID } from 'node:crypto'
import { checkAuth, login } from '@guidon/contract/auth'
import { requestContact } from '@guidon/contract/contact'
import { vi } from 'vitest'
import { besides } from '../src/features/documents/store-document.ts'
import { samplePdf } from '../test/files/made-pdf.ts'
import type { Person } from '../test/test-client.ts'
import type { AlertHouse } from './alert-stack.ts'
import { atOnce, inTurns } from './concurrency.ts'

interface Trouble {
  cause(house: AlertHouse): Promise<unknown>
  /** What people go on doing until it is noticed. */
  meanwhile?(house: AlertHouse): Promise<unknown>
  mend(house: AlertHouse): Promise<unknown>
}

/** Waits until a statement has touched a row: what it speaks of is on its way. */
const touched = (house: AlertHouse, text: string) =>
  vi.waitUntil(async () => (await house.sql(text)) > 0, { timeout: 20_000, interval: 200 })

const signIn = (house: AlertHouse) => house.someone().call(login, { body: house.veteran() })

let person: Person
let letGo: (() => Promise<void>) | undefined
let inTheWay: string[] = []
let removed = ''

interface Contact {
  Id: string
  Portal_User_Id__c: string
}

/** For each alert the real thing. Where only an age is at stake, what waits is made older. */
export const troubles: Record<string, Trouble> = {
  GuidonApiDown: {
    cause: ({ stack }) => stack.api[0]!.kill(),
    mend: ({ stack }) => stack.api[0]!.start(),
  },
  GuidonWorkerDown: {
    cause: ({ stack }) => stack.workers[0]!.kill(),
    mend: ({ stack }) => stack.workers[0]!.start(),
  },
  GuidonNotReady: {
    cause: (house) => house.stopDatabase(),
    mend: (house) => house.startDatabase(),
  },
  GuidonErrors: {
    cause: async (house) => {
      person = await house.signedIn()
      await house.sql('revoke select on sessions from guidon_app')
    },
    meanwhile: () => atOnce(5, () => person.call(checkAuth, {})),
    mend: (house) => house.sql('grant select on sessions to guidon_app'),
  },
  GuidonSlow: {
    cause: async (house) => {
      person = await house.signedIn()
    },
    meanwhile: async (house) => {
      const release = await house.run('begin; lock table sessions in access exclusive mode')
      const answers = atOnce(5, () => person.call(checkAuth, {}))
      // Nothing tells that an answer is late but the clock.
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await release()
      await answers
    },
    mend: async () => undefined,
  },
  GuidonSignInsRefused: {
    cause: async () => undefined,
    meanwhile: (house) =>
      atOnce(12, () => {
        const email = `${randomUUID()}@example.com`
        return house.someone().call(login, { body: { email, password: 'Wrong-Lantern-42!' } })
      }),
    mend: async () => undefined,
  },
  GuidonJobsGivenUp: {
    cause: async (house) => {
      await house.mailbox.fault('fail')
      await signIn(house)
      await touched(
        house,
        `update pgboss.job set retry_limit = 0, start_after = now()
         where name = 'auth.send-code' and state = 'retry'`,
      )
    },
    mend: async (house) => {
      await house.mailbox.fault('none')
      await house.stack.admin(['send-again', '--queue', 'auth.send-code'])
    },
  },
  GuidonJobsWaiting: {
    cause: async (house) => {
      person = await house.signedIn()
      await house.box.fault({ mode: 'hang' })
      await inTurns(12, () => house.upload(person), 3)
      await house.box.holding()
      await touched(
        house,
        `update pgboss.job set start_after = now() - interval '10 minutes'
         where name = 'documents.store' and state = 'created'`,
      )
    },
    mend: (house) => house.box.fault({ mode: 'none' }),
  },
  GuidonMirrorLag: {
    cause: async (house) => {
      await house.salesforce.fault({ mode: 'down' })
      // One that is being read right now would be read to its end, and be young again.
      await touched(house, `select from crm_sync_cursor where failure is not null`)
      await house.sql(`update crm_sync_cursor set completed_at = now() - interval '1 hour'`)
    },
    mend: (house) => house.salesforce.fault({ mode: 'none' }),
  },
  GuidonOutboxStuck: {
    cause: async (house) => {
      person = await house.signedIn()
      await house.salesforce.fault({ mode: 'down' })
      await person.call(requestContact, { body: { method: 'Call' } })
      await house.sql(
        `update crm_outbox set created_at = now() - interval '1 hour' where sent_at is null`,
      )
    },
    mend: (house) => house.salesforce.fault({ mode: 'none' }),
  },
  GuidonOutboxRefused: {
    cause: async (house) => {
      const veteran = house.veteran()
      person = await house.signedIn(veteran)
      const [contact] = await house.salesforce.rows<Contact>('Contact', { Email: veteran.email })
      await house.salesforce.staff('delete-row', { id: contact!.Id })
      removed = contact!.Portal_User_Id__c
      await person.call(requestContact, { body: { method: 'Call' } })
    },
    mend: async ({ salesforce, stack }) => {
      const row = { LastName: 'Whitfield', Portal_User_Id__c: removed }
      await salesforce.staff('add-contact', row)
      await stack.admin(['crm', 'send-again'])
    },
  },
  GuidonUploadsStuck: {
    cause: async (house) => {
      person = await house.signedIn()
      await house.box.fault({ mode: 'down' })
      await house.upload(person)
      await house.sql(
        `update uploads set received_at = now() - interval '1 hour' where stored_at is null`,
      )
    },
    mend: (house) => house.box.fault({ mode: 'none' }),
  },
  GuidonUploadsRefused: {
    cause: async (house) => {
      person = await house.signedIn()
      const known = await house.box.folders()
      await house.upload(person)
      await touched(house, `select where not exists (select from uploads where stored_at is null)`)
      const folder = (await house.box.folders()).find(
        (one) => !known.some(({ id }) => id === one.id),
      )!
      // The provider's staff have other files under the name, and under the one that is taken instead.
      const [name, sha1] = ['taken.pdf', createHash('sha1').update(samplePdf(1)).digest('hex')]
      const files = [name, besides(name, sha1)]
      const added = files.map((file) => house.box.addFile(folder.id, file, 'other bytes'))
      inTheWay = (await Promise.all(added)).map(({ id }) => id)
      await house.upload(person, name)
    },
    mend: async (house) => {
      for (const id of inTheWay) await house.box.deleteFile(id)
      await house.stack.admin(['files', 'send-again'])
    },
  },
  GuidonMailNotSent: {
    cause: async (house) => {
      await house.mailbox.fault('fail')
      await signIn(house)
    },
    mend: (house) => house.mailbox.fault('none'),
  },
  GuidonMailExpired: {
    cause: (house) => house.mailbox.fault('fail'),
    meanwhile: async (house) => {
      await signIn(house)
      await touched(
        house,
        `update challenges set expires_at = now() where expires_at > now() and exists (
           select from pgboss.job where name = 'auth.send-code' and state = 'retry'
             and data ->> 'challengeId' = challenges.id::text)`,
      )
      await house.sql(
        `update pgboss.job set start_after = now() where name = 'auth.send-code' and state = 'retry'`,
      )
    },
    mend: (house) => house.mailbox.fault('none'),
  },
  GuidonMailLate: {
    cause: async (house) => {
      await house.mailbox.fault('fail')
      await signIn(house)
      await touched(
        house,
        `update pgboss.job set created_on = created_on - interval '2 minutes'
         where name = 'auth.send-code' and state = 'retry'`,
      )
      await house.mailbox.fault('none')
    },
    mend: async () => undefined,
  },
  GuidonCrmQuota: {
    cause: ({ salesforce }) => salesforce.setUsed(85_000),
    mend: ({ salesforce }) => salesforce.setUsed(100),
  },
  GuidonFileStoreThrottled: {
    cause: async (house) => {
      person = await house.signedIn()
      await house.box.fault({ mode: '429' })
      await house.upload(person)
    },
    mend: (house) => house.box.fault({ mode: 'none' }),
  },
  GuidonScannerDown: {
    cause: (house) => house.stopScanner(),
    mend: (house) => house.startScanner(),
  },
  GuidonAuditUnsealed: {
    cause: async (house) => {
      letGo = await house.run(`select pg_advisory_lock(hashtext('guidon.audit.seal'))`)
      await house.signedIn()
      await touched(house, `update audit_events set at = at - interval '1 hour'`)
    },
    mend: () => letGo!(),
  },
  GuidonNotMeasured: {
    cause: (house) => house.sql('revoke select on crm_outbox from guidon_app'),
    mend: (house) => house.sql('grant select on crm_outbox to guidon_app'),
  },
}
