import { isDeepStrictEqual } from 'node:util'
import { veteransOnly } from '@guidon/contract/manage-users'
import { notFound, wrongRole } from '@guidon/contract/refusal'
import type { Refusal } from '@guidon/contract/refusal'
import { getProgressOf } from '@guidon/contract/todo'
import { expect, it } from 'vitest'
import { bootWithCases, day } from '../../support/case-rows.ts'
import { figures } from '../size.ts'
import { idOf, linkContact } from './valid-requests.ts'

const { testApp, sql, veteran, crmDocument, claim } = await bootWithCases()
const { account, withSession } = testApp

const owner = await veteran()
const requestId = await crmDocument(owner.contactId, { due_date: day(-1) })
const claimId = await claim(owner.contactId)
const colleague = await account('STAFF')
const colleagueContact = await linkContact(sql, colleague.email)
await crmDocument(colleagueContact)

const ids = {
  "the veteran's": owner.userId,
  "the veteran's in capital letters": owner.userId.toUpperCase(),
  "a colleague's": await idOf(sql, colleague.email),
  'an unknown one': '00000000-0000-7000-8000-000000000000',
  "the veteran's contact": owner.contactId,
  'not an id': "' or 1=1 --",
}
type Which = keyof typeof ids

const refused = ({ status, code, message }: Refusal) => ({ status, body: { code, message } })
const shown = {
  status: 200,
  body: {
    todo: [{ kind: 'overdueDocument', id: requestId }],
    claims: [{ id: claimId }],
  },
}
const isVeteran = (which: Which) =>
  which.startsWith("the veteran's") && which !== "the veteran's contact"

const roles = {
  USER: { caller: owner.client, expected: () => refused(wrongRole) },
  STAFF: {
    caller: await withSession(await account('STAFF')),
    expected: (which: Which) => {
      if (isVeteran(which)) return shown
      return refused(which === "a colleague's" ? veteransOnly : notFound)
    },
  },
  ADMIN: {
    caller: await withSession(await account('ADMIN')),
    expected: (which: Which) => {
      if (isVeteran(which)) return shown
      return which === "a colleague's"
        ? { status: 200, body: { todo: [], claims: [] } }
        : refused(notFound)
    },
  },
}

it('progress by account id: veterans get 403, staff see only veterans, and nothing by other ids', async () => {
  const actual: object[] = []
  const wanted: object[] = []
  const leaks: object[] = []
  for (const [role, { caller, expected }] of Object.entries(roles)) {
    for (const [which, id] of Object.entries(ids) as [Which, string][]) {
      const { status, body } = await caller.call(getProgressOf, { params: { id } })
      const response = expected(which)
      actual.push({ role, which, status, body })
      wanted.push({ role, which, ...response })
      if (response.status !== 200 && !isDeepStrictEqual({ status, body }, response))
        leaks.push({ role, which, status, body })
    }
  }
  figures('progress by id', {
    roles: 3,
    ids: Object.keys(ids).length,
    cells: actual.length,
    leaks: leaks.length,
  })
  expect(leaks).toEqual([])
  expect(actual).toMatchObject(wanted)
})

it('the audit log contains every view with counts only, and no refused request', async () => {
  const { rows } = await sql.query<{ subject: string; details: object }>(
    `select subject_id as subject, details from audit_events
     where event = 'progress_viewed' order by at`,
  )
  const view = { subject: owner.userId, details: { todo: 1, claims: 1 } }
  const ofColleague = { subject: ids["a colleague's"], details: { todo: 0, claims: 0 } }
  expect(rows).toEqual([view, view, view, view, ofColleague])
})
