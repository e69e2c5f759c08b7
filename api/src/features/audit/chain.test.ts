import { login } from '@guidon/contract/auth'
import { newLog, sealUpTo } from '@guidon/tests/audit-log'
import { boot } from '@guidon/tests/boot'
import { describe, expect, it, onTestFinished } from 'vitest'
import { recordEvent } from '../../db/audit-events.ts'
import { openDatabase, openPool } from '../../db/database.ts'
import type { Database } from '../../db/database.ts'
import { sealEvents, verifyChain } from './chain.ts'
import { continueTransactionNumbers } from './seals.sql.ts'

/** Three sealers at once, as in three workers. */
const sealersUpTo = async (db: Database, events: number) => {
  await Promise.all([sealUpTo(db, events), sealUpTo(db, events), sealUpTo(db, events)])
}

describe('the audit log', () => {
  it('has one row for each event of an account', async () => {
    const testApp = await boot({ worker: false })
    const user = await testApp.account()
    await testApp.newClient().call(login, { body: user })
    await testApp
      .newClient()
      .call(login, { body: { email: user.email, password: 'Wrong-Lantern-42!' } })
    await testApp
      .newClient()
      .call(login, { body: { email: 'nobody@example.com', password: 'Wrong-1!' } })
    const { rows } = await testApp.sql.query('select event from audit_events order by at')
    expect(rows.map(({ event }) => event)).toEqual([
      'account_created',
      'sign_in_started',
      'sign_in_refused',
      'sign_in_refused',
    ])
  })

  it('cannot be changed by the application, only read and appended to', async () => {
    const { pool } = await newLog(1)
    for (const statement of [
      "update audit_events set event = 'x'",
      'delete from audit_events',
      'truncate audit_events',
      'update audit_seals set events = 0',
      'delete from audit_seals',
    ]) {
      await expect(pool.query(statement)).rejects.toThrow('permission denied')
    }
  })

  it('is sealed by one sealer at a time, and its seals verify', async () => {
    const { db } = await newLog(25)
    await sealersUpTo(db, 25)
    await recordEvent(db, { event: 'signed_out' })
    await expect
      .poll(() => verifyChain(db))
      .toMatchObject({ events: 25, unsealed: 1, broken: undefined })
    await sealersUpTo(db, 26)
    expect(await verifyChain(db)).toMatchObject({ events: 26, unsealed: 0, broken: undefined })
  })

  it('seals an event only after its transaction has ended', async () => {
    const { db } = await newLog(2)
    let allowCommit: () => void = () => {}
    const commitAllowed = new Promise<void>((resolve) => (allowCommit = resolve))
    let reportWritten: () => void = () => {}
    const written = new Promise<void>((resolve) => (reportWritten = resolve))
    const slow = db.transaction().execute(async (tx) => {
      await recordEvent(tx, { event: 'password_changed' })
      reportWritten()
      await commitAllowed
    })
    await written
    await recordEvent(db, { event: 'signed_in' })
    await sealEvents(db)
    allowCommit()
    await slow
    await sealUpTo(db, 4)
    expect(await verifyChain(db)).toMatchObject({ events: 4, unsealed: 0, broken: undefined })
  })

  it.each([
    [
      'a row was edited',
      "update audit_events set details = '{\"n\": 99}' where details ->> 'n' = '3'",
    ],
    [
      'a row was dated back',
      "update audit_events set at = at - interval '1 hour' where details ->> 'n' = '3'",
    ],
    ['a row was deleted', "delete from audit_events where details ->> 'n' = '3'"],
    ['the newest row was deleted', "delete from audit_events where details ->> 'n' = '9'"],
    [
      'two rows were swapped',
      `with pair as (select transaction, id, details, lead(details) over w as other, row_number() over w as place
         from audit_events window w as (order by transaction, id))
       update audit_events e set details = case place when 4 then pair.other
         else (select details from pair where place = 4) end
       from pair where pair.id = e.id and place in (4, 5)`,
    ],
    [
      'a row was inserted among sealed ones',
      `insert into audit_events (transaction, event)
       select transaction, 'signed_in' from audit_events order by transaction limit 1`,
    ],
    ['the first seal was deleted', 'delete from audit_seals where number = 1'],
  ])('does not verify when %s', async (_how, statement) => {
    const { owner, db } = await newLog(5)
    await sealUpTo(db, 5)
    for (let n = 5; n < 10; n += 1) await recordEvent(db, { event: 'signed_in', details: { n } })
    await sealUpTo(db, 10)
    expect(await verifyChain(db)).toMatchObject({ events: 10, broken: undefined })
    // This connection owns the tables, so no privilege stops it.
    await owner.query(statement)
    expect((await verifyChain(db)).broken).toBeTruthy()
  })
})

describe('transaction numbers in the log', () => {
  it('may grow by a digit without breaking the chain', async () => {
    const { owner, db } = await newLog(2)
    await owner.query(
      `update audit_events set transaction = (9 + (details ->> 'n')::int)::text::xid8`,
    )
    await sealUpTo(db, 2)
    expect(await verifyChain(db)).toMatchObject({ events: 2, broken: undefined })
  })
})

describe('a log restored in a cluster with lower transaction numbers', () => {
  it('continues its numbers and still verifies', async () => {
    const { url, owner, db } = await newLog(3)
    const owners = openPool({
      url,
      size: 1,
      asOwner: true,
      statementTimeoutMs: 0,
      onIdleError: () => {},
    })
    onTestFinished(() => owners.end())
    const ownerDb = openDatabase(owners)
    await owner.query(
      `update audit_events set transaction = (transaction::text::bigint + 1000000000)::text::xid8`,
    )
    await sealEvents(db)
    expect(await verifyChain(db)).toMatchObject({ events: 0, unsealed: 0 })

    await continueTransactionNumbers(ownerDb)
    await sealUpTo(db, 3)
    await recordEvent(db, { event: 'signed_in', details: { n: 4 } })
    await sealUpTo(db, 4)
    expect(await verifyChain(db)).toMatchObject({ events: 4, unsealed: 0, broken: undefined })

    const { rows: before } = await owner.query('select ahead from audit_epoch')
    await continueTransactionNumbers(ownerDb)
    const { rows: after } = await owner.query('select ahead from audit_epoch')
    expect(after).toEqual(before)
  })
})
