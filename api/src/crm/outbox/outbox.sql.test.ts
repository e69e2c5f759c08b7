import { randomUUID } from 'node:crypto'
import { boot } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { afterEach, expect, it } from 'vitest'
import type { OutboxKind } from '../../db/schema.ts'
import { claimEntries, lockUnsent, markSent, postpone, releaseClaim } from './outbox.sql.ts'

const testApp = await boot({ worker: false })
const { sql } = testApp
const db = databaseAt(testApp.config.DATABASE_URL, 3)
afterEach(() => sql.query('delete from crm_outbox'))

async function newUser(): Promise<string> {
  const { email } = await testApp.account()
  const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [email])
  return rows[0]!.id
}
async function add(
  userId: string,
  kind: OutboxKind,
  entityId: string = randomUUID(),
): Promise<string> {
  const { rows } = await sql.query<{ number: string }>(
    'insert into crm_outbox (user_id, kind, entity_id) values ($1, $2, $3) returning number',
    [userId, kind, entityId],
  )
  return rows[0]!.number
}
const set = (number: string, values: string) =>
  sql.query(`update crm_outbox set ${values} where number = $1`, [number])
const claim = async (limit = 1_000, claimId = randomUUID()) => {
  const entries = await db.transaction().execute((tx) => claimEntries(tx, claimId, limit))
  return entries.map(({ number }) => number)
}

it('the oldest entry of each veteran is claimed, with those of the same kind that follow', async () => {
  const [one, two] = [await newUser(), await newUser()]
  const contact = await add(one, 'contact', one)
  const [first, second] = [await add(two, 'document'), await add(two, 'document')]
  await add(two, 'intake')
  await add(two, 'document')
  await add(one, 'contact_request')
  expect(await claim()).toEqual([contact, first, second])
})

it('a row that an earlier entry sends is left to a later round', async () => {
  const user = await newUser()
  const first = await add(user, 'contact', user)
  await add(user, 'contact', user)
  await add(user, 'contact', randomUUID())
  expect(await claim()).toEqual([first])
})

it('up to 20 entries of one veteran are claimed, and veterans with the oldest entries first', async () => {
  const [busy, other, last] = [await newUser(), await newUser(), await newUser()]
  const numbers: string[] = []
  for (let count = 0; count < 25; count += 1) numbers.push(await add(busy, 'contact_request'))
  const theirs = await add(other, 'contact_request')
  await add(last, 'contact_request')
  expect(await claim(21)).toEqual([...numbers.slice(0, 20), theirs])
})

it.each([
  ['refused', `refused_at = now(), refusal = 'X'`],
  ['claimed by another worker', `claim = uuidv7(), claimed_until = now() + interval '1 minute'`],
  ['postponed', `retry_at = now() + interval '1 minute'`],
])('an entry that is %s stops the later ones of its veteran, and no others', async (_, values) => {
  const [one, two] = [await newUser(), await newUser()]
  const stopped = await add(one, 'contact_request')
  await add(one, 'contact_request')
  const free = await add(two, 'contact_request')
  const following = await add(two, 'contact_request')
  await set(stopped, values)
  await set(following, values)
  await add(two, 'contact_request')
  expect(await claim()).toEqual([free])
})

it('an entry is claimed once, and again when the claim has expired or was released', async () => {
  const number = await add(await newUser(), 'contact_request')
  const claimId = randomUUID()
  expect(await claim(10, claimId)).toEqual([number])
  expect(await claim()).toEqual([])
  await set(number, 'claimed_until = now()')
  expect(await claim(10, claimId)).toEqual([number])
  await releaseClaim(db, claimId)
  expect(await claim()).toEqual([number])
})

it('a search is valid for one write, and for two minutes', async () => {
  const number = await add(await newUser(), 'contact')
  const searched = async () => {
    await set(number, 'claim = null, claimed_until = null')
    const entries = await db.transaction().execute((tx) => claimEntries(tx, randomUUID(), 1))
    return entries[0]!.searched
  }
  await set(number, `target = 'new', searched_at = now()`)
  expect(await searched()).toBe(true)
  expect(await searched()).toBe(false)
  await set(number, `searched_at = now() - interval '6 minutes'`)
  expect(await searched()).toBe(false)
})

it('the delay after a temporary failure doubles up to a minute', async () => {
  const number = await add(await newUser(), 'contact_request')
  const delays: number[] = []
  for (let count = 0; count < 8; count += 1) {
    await db.transaction().execute((tx) => postpone(tx, number))
    const { rows } = await sql.query<{ seconds: number }>(
      'select round(extract(epoch from retry_at - now()))::int as seconds from crm_outbox where number = $1',
      [number],
    )
    delays.push(rows[0]!.seconds)
  }
  expect(delays).toEqual([2, 4, 8, 16, 32, 60, 60, 60])
})

it('an entry has the time when it was marked as sent, not when its transaction began', async () => {
  const user = await newUser()
  const [first, second] = [await add(user, 'contact_request'), await add(user, 'contact_request')]
  const earlier = await db.startTransaction().execute()
  await earlier.selectFrom('users').select('id').limit(1).execute()
  await db.transaction().execute((tx) => markSent(tx, first))
  await markSent(earlier, second)
  await earlier.commit().execute()
  const { rows } = await sql.query<{ number: string }>(
    'select number from crm_outbox order by sent_at',
  )
  expect(rows.map(({ number }) => number)).toEqual([first, second])
})

it('the entries of an account can be locked unless one of them is being sent', async () => {
  const user = await newUser()
  const number = await add(user, 'contact_request')
  const lock = () => db.transaction().execute((tx) => lockUnsent(tx, user))
  expect(await lock()).toBe(true)
  await claim()
  expect(await lock()).toBe(false)
  await set(number, 'claimed_until = now()')
  expect(await lock()).toBe(true)
  // While another transaction records a result.
  const recording = await db.startTransaction().execute()
  await markSent(recording, number)
  expect(await lock()).toBe(false)
  await recording.commit().execute()
  expect(await lock()).toBe(true)
})

it('locked entries are not claimed until the lock is released', async () => {
  const user = await newUser()
  await add(user, 'contact_request')
  const erasing = await db.startTransaction().execute()
  expect(await lockUnsent(erasing, user)).toBe(true)
  expect(await claim()).toEqual([])
  await erasing.rollback().execute()
  expect(await claim()).toHaveLength(1)
})
