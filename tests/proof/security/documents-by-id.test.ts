import { isDeepStrictEqual } from 'node:util'
import { getDocumentsOf } from '@guidon/contract/documents'
import { notFound, wrongRole } from '@guidon/contract/refusal'
import { expect, it } from 'vitest'
import { boot } from '../../support/boot.ts'
import { figures } from '../size.ts'
import { linkContact } from './valid-requests.ts'

const testApp = await boot()
const { account, withSession, sql } = testApp

const veteran = await account('USER')
const otherVeteran = await account('USER')
const colleague = await account('STAFF')
const ids = {
  "the veteran's": await linkContact(sql, veteran.email),
  "another veteran's": await linkContact(sql, otherVeteran.email),
  "a colleague's": await linkContact(sql, colleague.email),
  'a contact without an account': '0035g00000ZZZZZAA4',
  'not an id': "' or 1=1 --",
}
type Which = keyof typeof ids

const refused = ({ status, code, message }: typeof notFound) => ({
  status,
  body: { code, message },
})
const noDocuments = { status: 200, body: [] }
const missing = refused(notFound)

const roles = {
  USER: { account: veteran, expected: () => refused(wrongRole) },
  STAFF: {
    account: await account('STAFF'),
    expected: (which: Which) =>
      which === "the veteran's" || which === "another veteran's" ? noDocuments : missing,
  },
  ADMIN: {
    account: await account('ADMIN'),
    expected: (which: Which) =>
      which === 'a contact without an account' || which === 'not an id' ? missing : noDocuments,
  },
}

it('documents by contact id: veterans get 403, staff without access the same 404 as for a missing contact', async () => {
  let cells = 0
  const leaks: object[] = []
  for (const [role, { account: caller, expected }] of Object.entries(roles)) {
    const client = await withSession(caller)
    for (const [which, id] of Object.entries(ids) as [Which, string][]) {
      const { status, body } = await client.call(getDocumentsOf, { params: { id } })
      if (!isDeepStrictEqual({ status, body }, expected(which)))
        leaks.push({ role, which, status, body })
      cells += 1
    }
  }
  figures('documents by id', { roles: 3, ids: Object.keys(ids).length, cells, leaks: leaks.length })
  expect(leaks).toEqual([])
})

it('the audit log contains every staff view of documents and no refused request', async () => {
  const { rows } = await sql.query<{ views: string }>(
    `select count(*) as views from audit_events where event = 'documents_viewed'`,
  )
  expect(Number(rows[0]!.views)).toBe(5)
})
