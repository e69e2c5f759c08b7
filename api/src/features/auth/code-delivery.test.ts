import { login } from '@guidon/contract/auth'
import { boot } from '@guidon/tests/boot'
import { mailbox } from '@guidon/tests/mailbox'
import { PASSWORD } from '@guidon/tests/outside/account'
import { startRelay } from '@guidon/tests/smtp-relay'
import { expect, it } from 'vitest'
import { sendResetLink } from './send-reset-link.ts'

it('a code is mailed within seconds while every connection of the main pool is in use', async () => {
  const testApp = await boot({ environment: { DATABASE_POOL: '2' } })
  const { userId } = await testApp.signedUp()
  const account = await testApp.account()
  const { sql } = testApp
  await sql.query('begin')
  await sql.query('lock table reset_tokens in access exclusive mode')
  for (let count = 0; count < 4; count += 1) {
    await testApp.send(sendResetLink, { userId })
  }
  const blocked = async () => {
    const { rows } = await sql.query(
      `select from pg_locks join pg_database d on d.oid = database
       where d.datname = current_database() and relation = 'reset_tokens'::regclass and not granted`,
    )
    return rows.length
  }
  await expect.poll(blocked).toBe(2)
  const client = testApp.newClient()
  await client.call(login, { body: account })
  const codes = () => mailbox.mailsTo(account.email, { subject: ' code', waitMs: 0 })
  await expect.poll(async () => (await codes()).length).toBe(1)
  expect(await blocked()).toBe(2)
  await sql.query('rollback')
})

it('a mail that hangs delays no other mail of its queue', async () => {
  let hanging = ''
  let held = 0
  const relay = await startRelay({}, (line) => {
    if (!line.startsWith('RCPT') || !line.includes(hanging)) return false
    held += 1
    return true
  })
  const testApp = await boot({ environment: { SMTP_URL: relay.url } })
  const accounts = await Promise.all(Array.from({ length: 5 }, () => testApp.account()))
  const signIn = ({ email }: { email: string }) =>
    testApp.newClient().call(login, { body: { email, password: PASSWORD } })
  hanging = accounts[0]!.email
  await signIn(accounts[0]!)
  await expect.poll(() => held).toBe(1)
  for (const account of accounts.slice(1)) await signIn(account)
  await expect.poll(relay.acceptedCount).toBe(4)
})
