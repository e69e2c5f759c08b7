import { describe, expect, it } from 'vitest'
import { passwords } from './passwords.ts'
import type { Passwords } from './passwords.ts'

const pepper = Buffer.alloc(32, 1)
const create = (options = {}) =>
  passwords({ peppers: [pepper], concurrency: 2, queue: 4, ...options })

describe('password hashing', () => {
  it('uses argon2id with 19 MiB, two passes and one lane', async () => {
    const { hash } = await create()
    expect(await hash('Harbor-Lantern-42!', 'someone')).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1,keyid=[\w+/]{11}\$/,
    )
  })

  it('accepts a password only with the pepper of its hash', async () => {
    const ours = await create()
    const others = await create({ peppers: [Buffer.alloc(32, 2)] })
    const stored = await ours.hash('Harbor-Lantern-42!', 'someone')
    const right = (by: Passwords, text: string) =>
      by.withQueueSlot('someone', (verify) => verify(text, stored))
    expect(await right(ours, 'Harbor-Lantern-42!')).toBe(true)
    expect(await right(ours, 'harbor-lantern-42!')).toBe(false)
    expect(await right(others, 'Harbor-Lantern-42!')).toBe(false)
  })

  it('verifies a hash with its own pepper and renews it with the first', async () => {
    const older = await create()
    const newer = await create({ peppers: [Buffer.alloc(32, 2), pepper] })
    const password = 'Harbor-Lantern-42!'
    const stored = await older.hash(password, 'someone')
    const [right, renewed] = await newer.withQueueSlot('someone', async (verify, renew) => [
      await verify(password, stored),
      await renew(password, stored),
    ])
    expect(right).toBe(true)
    const newest = await create({ peppers: [Buffer.alloc(32, 2)] })
    expect(await newest.withQueueSlot('someone', (verify) => verify(password, renewed))).toBe(true)
    expect(await newest.withQueueSlot('someone', (verify) => verify(password, stored))).toBe(false)
    expect(
      await newer.withQueueSlot('someone', (_, renew) => renew(password, renewed!)),
    ).toBeUndefined()
  })

  it('verifies a hash without a pepper id with the oldest pepper', async () => {
    const password = 'Harbor-Lantern-42!'
    const stored = (await (await create()).hash(password, 'someone')).replace(/,keyid=[^$]+/, '')
    const newer = await create({ peppers: [Buffer.alloc(32, 2), pepper] })
    expect(await newer.withQueueSlot('someone', (verify) => verify(password, stored))).toBe(true)
    expect(await newer.withQueueSlot('someone', (_, renew) => renew(password, stored))).toMatch(
      /keyid=/,
    )
  })

  it('accepts no password without a stored hash', async () => {
    const { withQueueSlot } = await create()
    const right = await withQueueSlot('someone', (verify) =>
      verify('nobody has this password', undefined),
    )
    expect(right).toBe(false)
  })

  it('queues a bounded number of requests and refuses the rest with a retry time', async () => {
    const { hash } = await create()
    const hashes = Array.from({ length: 9 }, (_, n) => hash('Harbor-Lantern-42!', `address ${n}`))
    const settled = await Promise.allSettled(hashes)
    const refused = settled.filter((result) => result.status === 'rejected')
    expect(settled.filter((result) => result.status === 'fulfilled')).toHaveLength(6)
    expect(refused.map((result) => result.reason)).toEqual(
      Array(3).fill(
        expect.objectContaining({
          refusal: expect.objectContaining({ status: 503, code: 'too_busy' }),
          details: { retryAfterSeconds: 30 },
        }),
      ),
    )
    // Later requests are accepted again.
    await expect(hash('Harbor-Lantern-42!', 'someone')).resolves.toBeTruthy()
  })

  it('does not let one address fill the queue, and gives other addresses their turn', async () => {
    const { hash } = await create({ concurrency: 1, queue: 40 })
    const order: string[] = []
    const hashAs = (key: string) => hash('Harbor-Lantern-42!', key).then(() => order.push(key))
    const flood = Array.from({ length: 40 }, () => hashAs('flood'))
    await Promise.all([hashAs('veteran'), ...flood.map((hashing) => hashing.catch(() => {}))])
    expect(order.indexOf('veteran')).toBeLessThanOrEqual(2)
    // One runs, and a quarter of the queue waits.
    expect(order.filter((key) => key === 'flood')).toHaveLength(11)
    const refused = (await Promise.allSettled(flood)).find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({ reason: { refusal: { code: 'too_busy' } } })
  })
})
