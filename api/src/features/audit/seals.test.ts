import { newLog, sealUpTo } from '@guidon/tests/audit-log'
import { describe, expect, it, vi } from 'vitest'
import { recordEvent } from '../../db/audit-events.ts'
import { chainHash } from './chain-hash.ts'
import { verifyChain } from './chain.ts'
import { insertSeal, lastSeal, settledRows } from './seals.sql.ts'
import type { Seal } from './seals.sql.ts'

describe('a forged seal', () => {
  const FUTURE_END = {
    untilTransaction: '9223372036854775807',
    untilId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  }

  /** Returns the correct next seal. Each forgery changes one part of it. */
  async function forgeable() {
    const parts = await newLog(3)
    const { db } = parts
    await sealUpTo(db, 3)
    for (let n = 3; n < 6; n += 1) await recordEvent(db, { event: 'signed_in', details: { n } })
    const last = (await lastSeal(db))!
    const rows = await vi.waitUntil(async () => {
      const settled = await settledRows(db, last, 10)
      return settled.length === 3 && settled
    }, 60_000)
    const until = rows.at(-1)!
    const right: Seal = {
      number: last.number + 1,
      untilTransaction: until.transaction,
      untilId: until.id,
      events: 3,
      hash: chainHash(last.hash, rows),
    }
    return { ...parts, last, rows, right }
  }
  type Forgeable = Awaited<ReturnType<typeof forgeable>>

  const FORGERIES: [string, (parts: Forgeable) => Partial<Seal>][] = [
    ['empty', ({ last }) => ({ events: 0, hash: chainHash(last.hash, []) })],
    [
      'empty, far in the future',
      ({ last }) => ({ ...FUTURE_END, events: 0, hash: chainHash(last.hash, []) }),
    ],
    ['in the future', () => FUTURE_END],
    ['of a negative number of events', () => ({ events: -1 })],
    ['of more events than exist', () => ({ events: 4 })],
    [
      'of fewer events than it covers',
      ({ rows, last }) => ({ events: 2, hash: chainHash(last.hash, rows.slice(0, 2)) }),
    ],
    ['with another hash', () => ({ hash: Buffer.alloc(32, 7) })],
    [
      'that leaves an event out',
      ({ rows, last }) => ({ events: 2, hash: chainHash(last.hash, rows.slice(1)) }),
    ],
    ['with a skipped number', ({ last }) => ({ number: last.number + 2 })],
  ]

  it.each(FORGERIES)(
    'cannot be inserted by the application, and does not verify if the owner of the tables inserted it: %s',
    async (_what, forge) => {
      const parts = await forgeable()
      const { db, owner, right } = parts
      const forged = { ...right, ...forge(parts) }
      await expect(insertSeal(db, forged)).rejects.toThrow('audit seal')
      await owner.query('alter table audit_seals disable trigger audit_seals_check')
      await insertSeal(db, forged)
      expect((await verifyChain(db)).broken).toMatch(/^seal \d+ is (forged|missing)/)
    },
  )

  it('is refused, but the right one is inserted afterwards', async () => {
    const { db, right } = await forgeable()
    await expect(insertSeal(db, { ...right, events: 4 })).rejects.toThrow('audit seal')
    await insertSeal(db, right)
    expect(await verifyChain(db)).toMatchObject({ events: 6, broken: undefined })
  })

  it('cannot be inserted with temporary tables that replace the log', async () => {
    const { db, last, right, pool } = await forgeable()
    const client = await pool.connect()
    try {
      await client.query('create temporary table audit_events as table public.audit_events')
      await client.query('create temporary table audit_seals as table public.audit_seals')
      await client.query(`update audit_events set event = 'signed_out'`)
      const forged = chainHash(last.hash, [])
      await expect(
        client.query(
          `insert into public.audit_seals (number, until_transaction, until_id, events, hash)
           values ($1, $2::xid8, $3, $4, $5)`,
          [right.number, right.untilTransaction, right.untilId, 3, forged],
        ),
      ).rejects.toThrow('audit seal')
    } finally {
      client.release(true)
    }
    expect(await verifyChain(db)).toMatchObject({ events: 3, broken: undefined })
  })
})

describe('an event', () => {
  it.each([
    ['its transaction number', `(transaction, event) values ('1', 'signed_in')`],
    ['its id', `(id, event) values (uuidv7(), 'signed_in')`],
    ['its time', `(at, event) values (now() - interval '1 year', 'signed_in')`],
  ])('does not let the application choose %s', async (_what, values) => {
    const { pool } = await newLog(0)
    await expect(pool.query(`insert into audit_events ${values}`)).rejects.toThrow(
      'permission denied',
    )
  })
})

it('2,500 events are sealed in three seals, and verify', async () => {
  const { owner, db } = await newLog(0)
  await owner.query(
    `insert into audit_events (event, details)
     select 'signed_in', jsonb_build_object('n', n) from generate_series(1, 2500) as n`,
  )
  await vi.waitUntil(async () => {
    const { rowCount } = await owner.query(
      `select from audit_events where transaction >= pg_snapshot_xmin(pg_current_snapshot()) limit 1`,
    )
    return rowCount === 0
  }, 60_000)
  await sealUpTo(db, 2_500)
  expect(await verifyChain(db)).toMatchObject({ seals: 3, events: 2_500, broken: undefined })
})
