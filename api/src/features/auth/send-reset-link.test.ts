import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { boot } from '../../../test/boot.ts'
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

async function newClient() {
  const { email } = await account()
  const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [email])
  return { email, userId: rows[0]!.id, id: randomUUID() }
}

async function failedTry() {
  const one = await newClient()
  isRelayDown = true
  await expect(run({ userId: one.userId }, one)).rejects.toThrow('relay down')
  isRelayDown = false
  return one
}

const minutesPass = (minutes: number) =>
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

describe('the job that mails a reset link', () => {
  it('mails one link that is good for 30 minutes, however long the relay was down', async () => {
    const one = await failedTry()
    await minutesPass(100)
    expect(await run({ userId: one.userId }, one)).toBe('sent')
    expect(await minutesLeft(one.userId)).toEqual([30])
  })

  it('does not make a link that was mailed good for longer when it is delivered again', async () => {
    const one = await newClient()
    await run({ userId: one.userId }, one)
    await minutesPass(20)
    expect(await run({ userId: one.userId }, one)).toBe('sent')
    expect(await minutesLeft(one.userId)).toEqual([10])
    expect(sentTo.filter((to) => to === one.email)).toHaveLength(1)
  })

  it('mails no link that a new password has voided meanwhile', async () => {
    const one = await failedTry()
    await voidResetTokens(db, one.userId)
    expect(await run({ userId: one.userId }, one)).toBe('superseded')
    expect(sentTo).not.toContain(one.email)
  })

  it('says that an unknown email has no recipient', async () => {
    expect(await run({ userId: randomUUID() }, { id: randomUUID() })).toBe('no-recipient')
  })
})
