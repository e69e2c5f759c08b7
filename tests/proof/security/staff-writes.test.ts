import { randomUUID } from 'node:crypto'
import { checkAuth, login } from '@guidon/contract/auth'
import { pathOf } from '@guidon/contract/endpoint'
import type { Endpoint } from '@guidon/contract/endpoint'
import { endpoints } from '@guidon/contract/endpoints'
import { deactivateUser } from '@guidon/contract/manage-users'
import { expect, it } from 'vitest'
import { boot } from '../../support/boot.ts'
import { limitedConcurrency } from '../../support/concurrency.ts'
import { userIdOf } from '../../support/databases.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'
import { unmatchedNames } from './matrix.ts'
import type { Outcome } from './matrix.ts'
import { addWaitingLink, bodies } from './valid-requests.ts'
import type { Account } from './valid-requests.ts'

const testApp = await boot()
const { account, signedIn, newClient, sql } = testApp
const bodyOf = bodies(testApp)

const TARGETS = ['USER', 'STAFF', 'ADMIN', 'self', 'deactivated', 'nobody'] as const
type Target = (typeof TARGETS)[number]
const ACTORS = ['STAFF', 'ADMIN'] as const
type Actor = (typeof ACTORS)[number]
type Row = Record<Actor, Record<Target, Outcome>>

/** Staff may change veterans, administrators may change everyone. */
const row = (success: Outcome, exceptions: { self?: Outcome; deactivated?: Outcome } = {}): Row => {
  const all = {
    USER: success,
    STAFF: success,
    ADMIN: success,
    self: exceptions.self ?? success,
    deactivated: exceptions.deactivated ?? success,
    nobody: '404 not_found' as Outcome,
  }
  const refused: Outcome = '403 veterans_only'
  return {
    ADMIN: all,
    STAFF: { ...all, STAFF: refused, ADMIN: refused, self: exceptions.self ?? refused },
  }
}

const adminsOnly = ({ ADMIN }: Row): Row => {
  const refused = '403 wrong_role' as const
  const all = { USER: refused, STAFF: refused, ADMIN: refused, self: refused, nobody: refused }
  return { ADMIN, STAFF: { ...all, deactivated: refused } }
}

const table: Readonly<Record<string, Row>> = {
  updateUser: row('200'),
  deactivateUser: row('204', { self: '409 not_yourself' }),
  reactivateUser: adminsOnly(row('200')),
  resetUserPassword: row('204', { deactivated: '409 already_inactive' }),
  decideLink: row('204'),
}

const staffWrites = (all: Readonly<Record<string, Endpoint>>) =>
  Object.entries(all)
    .filter(([, { method, roles }]) => method !== 'GET' && roles?.includes('ADMIN'))
    .map(([name]) => name)

async function accountIdOf(target: Target, self: Account): Promise<string> {
  if (target === 'nobody') return randomUUID()
  if (target === 'self') return userIdOf(sql, self.email)
  const id = await userIdOf(sql, (await account(target === 'deactivated' ? 'USER' : target)).email)
  if (target === 'deactivated') {
    await sql.query('update users set is_active = false where id = $1', [id])
  }
  return id
}

const stateOf = async (id: string) => {
  const { rows } = await sql.query<{ state: string }>(
    `select concat(users, array(select links::text from links where user_id = users.id)) as state
     from users where id = $1`,
    [id],
  )
  return rows[0]?.state
}
const countAudited = async (id: string) => {
  const { rows } = await sql.query(
    `select from audit_events where subject_id = $1 and actor_id is not null
       and event in ('box_folder_changed', 'account_deactivated', 'account_reactivated',
         'password_set_by_staff', 'link_refused')`,
    [id],
  )
  return rows.length
}

/** Uses new accounts. A refused write must change nothing; a write must be in the audit log. */
async function tryCell(name: string, actor: Actor, target: Target) {
  const self = await account(actor)
  const client = await signedIn(self)
  const accountId = await accountIdOf(target, self)
  const isOfLink = name === 'decideLink' && target !== 'nobody'
  const id = isOfLink ? await addWaitingLink(sql, accountId) : accountId
  const endpoint = endpoints[name]!
  const before = await stateOf(accountId)
  const path = pathOf(endpoint, { id } as never)
  const { status, body } = await client.send(endpoint.method, path, await bodyOf[name]?.(self))
  const { code } = (body ?? {}) as { code?: string }
  const changed = (await stateOf(accountId)) !== before
  const audited = (await countAudited(accountId)) > 0
  const actual = [status, ...(status < 400 ? [] : [code])].join(' ')
  return { actual, auditMatches: changed === audited && (status < 400 || !changed) }
}

it('every staff write has a row in the table, and a missing row is detected', () => {
  const names = staffWrites(endpoints)
  expect(unmatchedNames(names, Object.keys(table))).toEqual([])
  const added = { ...endpoints, added: { ...deactivateUser, path: '/admin/added/{id}' } as const }
  expect(unmatchedNames(staffWrites(added), Object.keys(table))).toEqual(['added'])
})

it('staff writes have the outcomes in the table, and only completed writes are in the audit log', async () => {
  const cells = Object.keys(table).flatMap((name) =>
    ACTORS.flatMap((actor) => TARGETS.map((target) => ({ name, actor, target }))),
  )
  const outcomes = await limitedConcurrency(cells.length, async (index) => {
    const { name, actor, target } = cells[index]!
    const { actual, auditMatches } = await tryCell(name, actor, target)
    const expected = table[name]![actor][target]
    const wrong = actual !== expected || !auditMatches
    return wrong
      ? [`${name} by ${actor} on ${target}: ${actual}, not ${expected}, or the audit log is wrong`]
      : []
  })
  const wrong = outcomes.flat()
  figures('staff writes', {
    writes: Object.keys(table).length,
    actors: ACTORS.length,
    targets: TARGETS.length,
    cells: cells.length,
    wrong: wrong.length,
  })
  headline.sum({ cells: cells.length, wrong: wrong.length })
  expect(wrong).toEqual([])
})

it('an account deactivated by staff is refused at the next request and at sign-in', async () => {
  const staff = await signedIn(await account('STAFF'))
  const rounds = smallOrFull(5, 100)
  const accepted = await limitedConcurrency(rounds, async () => {
    const veteran = await account()
    const client = await signedIn(veteran)
    const params = { id: await userIdOf(sql, veteran.email) }
    const before = (await client.call(checkAuth, {})).status
    await staff.call(deactivateUser, { params })
    const next = await client.call(checkAuth, {})
    const signIn = await newClient().call(login, { body: veteran })
    const refused = next.status === 401 && signIn.body.code === 'account_deactivated'
    return before === 200 && refused ? 0 : 1
  })
  const total = accepted.reduce<number>((sum, value) => sum + value, 0)
  figures('deactivated by staff', { rounds, accepted: total })
  headline.sum({ deactivated: rounds, 'accepted afterwards': total })
  expect(total).toBe(0)
})
