import { randomUUID } from 'node:crypto'
import { boot } from '@guidon/tests/boot'
import { afterAll, describe, expect, it } from 'vitest'
import { openDatabase, openPool } from '../../db/database.ts'
import { sendOnce } from '../../mail/send-once.ts'
import { readBrand } from '../../platform/brand.ts'
import { tokens } from '../../platform/tokens.ts'
import { voidResetTokens } from './reset-tokens.sql.ts'
import { sendResetLinkWork } from './send-reset-link.ts'

const { account, config, sql } = await boot({ worker: false })
const db = openDatabase(
  openPool({ url: config.DATABASE_URL, size: 2, statementTimeoutMs: 0, onIdleError: () => {} }),
)
afterAll(() => db.destroy())

let isRelayDown = false
const sentTo: string[] = []
const { run } = sendResetLinkWork({
  db,
  tokens: tokens(config.TOKEN_KEY),
  brand: readBrand(config.BRAND_DIR).brand,
  portal: config.PUBLIC_URL,
  send: sendOnce(db, {
    send: async (to) => {
      if (isRelayDown) throw new Error('relay down')
      sentTo.push(to)
    },
  }),
})

async function newAccount() {
  const { email } = await account()
  const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [email])
  return { email, userId: rows[0]!.id, job: { id: randomUUID() } }
}

async function failedTry() {
  const user = await newAccount()
  isRelayDown = true
  await expect(run({ userId: user.userId }, user.job)).rejects.toThrow('relay down')
  isRelayDown = false
  return user
}

const moveClock = (minutes: number) =>
  sql.query('update reset_tokens set expires_at = expires_at - make_interval(mins => $1)', [
    minutes,
  ])

const minutesLeft = async (userId: string) => {
  const { rows } = await sql.query(
    `select round(extract(epoch from expires_at - now()) / 60)::int as minutes
     from reset_tokens where user_id = $1`,
    [userId],
  )
  return rows.map(({ minutes }) => minutes as number)
}

describe('the job that sends a reset link', () => {
  it('sends one link that is valid for 30 minutes, even after an outage of the relay', async () => {
    const user = await failedTry()
    await moveClock(100)
    expect(await run({ userId: user.userId }, user.job)).toBe('sent')
    expect(await minutesLeft(user.userId)).toEqual([30])
  })

  it('does not extend the validity of a sent link when it runs again', async () => {
    const user = await newAccount()
    await run({ userId: user.userId }, user.job)
    await moveClock(20)
    expect(await run({ userId: user.userId }, user.job)).toBe('sent')
    expect(await minutesLeft(user.userId)).toEqual([10])
    expect(sentTo.filter((to) => to === user.email)).toHaveLength(1)
  })

  it('sends no link if the password was changed meanwhile', async () => {
    const user = await failedTry()
    await voidResetTokens(db, user.userId)
    expect(await run({ userId: user.userId }, user.job)).toBe('superseded')
    expect(sentTo).not.toContain(user.email)
  })

  it('ends as no-recipient for the random account id that an unknown email gets', async () => {
    expect(await run({ userId: randomUUID() }, { id: randomUUID() })).toBe('no-recipient')
  })
})
