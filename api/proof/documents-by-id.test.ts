import { getDocumentsOf } from '@guidon/contract/documents'
import { notFound, wrongRole } from '@guidon/contract/refusal'
import { expect, it } from 'vitest'
import { boot } from '../test/boot.ts'
import { linkContact } from './valid-requests.ts'
import { figures } from './size.ts'

const testApp = await boot()
const { account, signedIn, sql } = testApp

const veteran = await account('USER')
const another = await account('USER')
const colleague = await account('STAFF')
const ids = {
  'their own': await linkContact(sql, veteran.email),
  "another veteran's": await linkContact(sql, another.email),
  "a colleague's": await linkContact(sql, colleague.email),
  'a contact without an account': '0035g00000ZZZZZAA4',
  'no id at all': "' or 1=1 --",
}
type Which = keyof typeof ids

const refused = ({ status, code, message }: typeof notFound) => ({
  status,
  body: { code, message },
})
const none = { status: 200, body: [] }
const missing = refused(notFound)

const roles = {
  USER: { who: veteran, sees: () => refused(wrongRole) },
  STAFF: {
    who: await account('STAFF'),
    sees: (which: Which) =>
      which === 'their own' || which === "another veteran's" ? none : missing,
  },
  ADMIN: {
    who: await account('ADMIN'),
    sees: (which: Which) =>
      which === 'a contact without an account' || which === 'no id at all' ? missing : none,
  },
}

it("a veteran's documents, by id: not yours is the same as not there", async () => {
  let cells = 0
  for (const [role, { who, sees }] of Object.entries(roles)) {
    const client = await signedIn(who)
    for (const [which, id] of Object.entries(ids) as [Which, string][]) {
      const { status, body } = await client.call(getDocumentsOf, { params: { id } })
      expect({ role, which, status, body }).toEqual({ role, which, ...sees(which) })
      cells += 1
    }
  }
  figures('documents by id', { roles: 3, ids: Object.keys(ids).length, cells, leaks: 0 })
})

it('every look of staff at documents, and only a look that showed something, is in the audit log', async () => {
  const { rows } = await sql.query<{ looks: string }>(
    `select count(*) as looks from audit_events where event = 'documents_viewed'`,
  )
  expect(Number(rows[0]!.looks)).toBe(5)
})
