import { randomUUID } from 'node:crypto'
import { forgotPassword } from '@guidon/contract/password'
import { boot } from '@guidon/tests/boot'
import { newBox } from '@guidon/tests/box'
import { send, WAIT_OPTIONS } from '@guidon/tests/documents'
import { mailbox } from '@guidon/tests/mailbox'
import { expect, it } from 'vitest'
import { storeDocument } from '../store/store-document.ts'

const box = await newBox()
const testApp = await boot({ environment: { ...box.environment, DATABASE_POOL: '2' } })
const { sql } = testApp

const waiting = async () => (await testApp.admin.files.status()).waiting

it('hanging transfers of twenty files hold no database connection: other jobs run, and no transaction stays open', async () => {
  const { client, email } = await testApp.signedUp()
  await box.fault({ mode: 'hang', path: '/2.0/files/content' })
  for (let count = 0; count < 20; count += 1) expect((await send(client)).status).toBe(201)
  const { concurrency } = storeDocument
  await expect.poll(async () => (await box.stats()).hanging, WAIT_OPTIONS).toBe(concurrency)
  const [last] = await mailbox.mailsTo(email)
  await client.call(forgotPassword, { body: { email } })
  const isNew = async () => (await mailbox.mailsTo(email, { waitMs: 0 }))[0]?.id !== last?.id
  await expect.poll(isNew).toBe(true)
  // Polls, because other transactions may be open for a moment; one of a hanging transfer would stay.
  const open = async () => {
    const { rows } = await sql.query(
      `select state, query from pg_stat_activity
       where datname = current_database() and state like 'idle in transaction%'`,
    )
    return rows
  }
  await expect.poll(open).toEqual([])
  expect((await box.stats()).hanging).toBe(concurrency)
  await box.fault({ mode: 'none' })
  await expect.poll(waiting, { ...WAIT_OPTIONS, timeout: 60_000 }).toBe(0)
})

it('the document of a worker that died is sent by another one when its claim has expired, not before', async () => {
  const { client } = await testApp.signedUp()
  await testApp.stopWorkers()
  const { body } = await send(client)
  const claim = await sql.query<{ until: Date }>(
    `update documents set claimed_by = $2, claimed_until = now() + interval '4 seconds'
     where id = $1 returning claimed_until as until`,
    [body.id, randomUUID()],
  )
  await testApp.startWorker()
  const storedAt = async () => {
    const { rows } = await sql.query<{ at: Date | null }>(
      'select stored_at as at from uploads where document_id = $1',
      [body.id],
    )
    return rows[0]!.at
  }
  await expect.poll(storedAt, WAIT_OPTIONS).toBeTruthy()
  expect((await storedAt())!.getTime()).toBeGreaterThan(claim.rows[0]!.until.getTime())
  const after = async () => {
    const { rows } = await sql.query('select claimed_by from documents where id = $1', [body.id])
    return rows
  }
  await expect.poll(after).toEqual([{ claimed_by: null }])
})

it('a worker whose claim was taken over does not record its transfer', async () => {
  const { client } = await testApp.signedUp()
  await box.fault({ mode: 'hang', path: '/2.0/files/content' })
  const { body } = await send(client)
  await box.waitForHeldCall()
  const other = randomUUID()
  await sql.query(
    `update documents set claimed_by = $2, claimed_until = now() + interval '1 hour' where id = $1`,
    [body.id, other],
  )
  await box.fault({ mode: 'none' })
  await expect.poll(() => testApp.logged(), WAIT_OPTIONS).toMatch(/"type":"Busy"/)
  const { rows } = await sql.query(
    `select claimed_by, stored_at from documents join uploads on document_id = documents.id
     where documents.id = $1`,
    [body.id],
  )
  expect(rows).toEqual([{ claimed_by: other, stored_at: null }])
  await sql.query('update documents set claimed_until = now() where id = $1', [body.id])
  await expect.poll(waiting, WAIT_OPTIONS).toBe(0)
})
