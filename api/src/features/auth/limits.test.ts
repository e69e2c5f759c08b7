import { login, resendVerificationCode, verifyLogin } from '@guidon/contract/auth'
import { describe, expect, it } from 'vitest'
import { boot } from '../../../test/boot.ts'
import { mailbox } from '../../../test/mailbox.ts'
import type { Person } from '../../../test/person.ts'

const { account, someone, sql } = await boot()

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const wrong = (email: string) => ({ body: { email, password: 'Wrong-Lantern-42!' } })
const minutesPass = (minutes: number) =>
  sql.query(
    `update limits set blocked_until = blocked_until - make_interval(mins => $1),
       resets_at = resets_at - make_interval(mins => $1)`,
    [minutes],
  )

describe('wrong passwords', () => {
  it.each(['known', 'unknown'])(
    'wait 1, 2, 4 … 15 minutes after five, for %s emails',
    async (kind) => {
      const email = kind === 'known' ? (await account()).email : 'unknown@example.com'
      const attempt = () => someone().call(login, { ...wrong(email), ...from('203.0.113.1') })
      for (let n = 0; n < 5; n += 1) expect(await attempt()).toMatchObject({ status: 400 })
      for (const minutes of [1, 2, 4, 8, 15, 15]) {
        const blocked = await attempt()
        expect(blocked).toMatchObject({ status: 429, body: { code: 'too_many_tries' } })
        expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan((minutes - 1) * 60)
        expect(Number(blocked.headers.get('retry-after'))).toBeLessThanOrEqual(minutes * 60)
        await minutesPass(minutes)
        expect(await attempt()).toMatchObject({ status: 400 })
      }
    },
  )

  it('from one address do not shut the owner out at another', async () => {
    const one = await account()
    for (let n = 0; n < 6; n += 1) {
      await someone().call(login, { ...wrong(one.email), ...from('203.0.113.2') })
    }
    const attacker = await someone().call(login, { body: one, ...from('203.0.113.2') })
    expect(attacker.status).toBe(429)
    expect(await someone().call(login, { body: one, ...from('198.51.100.7') })).toMatchObject({
      status: 204,
    })
  })

  it('are counted before they are looked at: of 30 at once five are compared', async () => {
    const { email } = await account()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        someone().call(login, { ...wrong(email), ...from('203.0.113.3') }),
      ),
    )
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(25)
  })

  it('end after 50 a day for an account, whatever the addresses', async () => {
    const { email } = await account()
    let compared = 0
    for (let n = 0; n < 60; n += 1) {
      const answer = await someone().call(login, {
        ...wrong(email),
        ...from(`203.0.113.${100 + n}`),
      })
      if (answer.status === 400) compared += 1
    }
    expect(compared).toBe(50)
  })

  it('are forgotten after a right one from the same address', async () => {
    const one = await account()
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 4; n += 1)
        await someone().call(login, { ...wrong(one.email), ...from('203.0.113.4') })
      expect(await someone().call(login, { body: one, ...from('203.0.113.4') })).toMatchObject({
        status: 204,
      })
    }
  })
})

describe('wrong codes', () => {
  it('are compared 20 times a day for an account, however many sign-ins are started', async () => {
    const one = await account()
    let last = undefined
    for (let round = 0; round < 5; round += 1) {
      const person = someone()
      await person.call(login, { body: one })
      const code = await mailbox.codeFor(one.email, { after: last?.id ?? '' })
      ;[last] = await mailbox.mailsTo(one.email)
      for (let n = 0; n < 5; n += 1) {
        const other = code === '000000' ? '111111' : '000000'
        await person.call(verifyLogin, { body: { email: one.email, code: other } })
      }
      if (round < 4) continue
      expect(await person.call(verifyLogin, { body: { email: one.email, code } })).toMatchObject({
        status: 400,
      })
    }
  })
})

describe('codes sent again', () => {
  it('are 5 an hour for an account, over all its sign-ins', async () => {
    const one = await account()
    const resend = async (person: Person) => {
      await sql.query("update challenges set sent_at = sent_at - interval '1 minute'")
      return person.call(resendVerificationCode, {
        body: { email: one.email, verificationType: 'login' },
      })
    }
    const statuses: number[] = []
    for (let round = 0; round < 2; round += 1) {
      const person = someone()
      await person.call(login, { body: one })
      for (let n = 0; n < 3; n += 1) statuses.push((await resend(person)).status)
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  })
})
