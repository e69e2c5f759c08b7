import { describe, expect, it } from 'vitest'
import { passwords } from './passwords.ts'

const pepper = Buffer.alloc(32, 1)
const create = (limits = {}) => passwords({ pepper, concurrency: 2, queue: 4, ...limits })

describe('passwords', () => {
  it('are argon2id with 19 MiB, two passes and one lane', async () => {
    const { hash } = await create()
    expect(await hash('Harbor-Lantern-42!')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('are right only with the pepper they were made with', async () => {
    const ours = await create()
    const others = await create({ pepper: Buffer.alloc(32, 2) })
    const stored = await ours.hash('Harbor-Lantern-42!')
    expect(await ours.verify('Harbor-Lantern-42!', stored)).toBe(true)
    expect(await ours.verify('harbor-lantern-42!', stored)).toBe(false)
    expect(await others.verify('Harbor-Lantern-42!', stored)).toBe(false)
  })

  it('are never right for nobody, whatever is tried', async () => {
    const { verify } = await create()
    expect(await verify('nobody has this password', undefined)).toBe(false)
  })

  it('wait in a bounded line; beyond it they are refused with a time to come back', async () => {
    const { hash } = await create()
    const asked = Array.from({ length: 9 }, () => hash('Harbor-Lantern-42!'))
    const settled = await Promise.allSettled(asked)
    const refused = settled.filter((one) => one.status === 'rejected')
    expect(settled.filter((one) => one.status === 'fulfilled')).toHaveLength(6)
    expect(refused.map((one) => one.reason)).toEqual(
      Array(3).fill(
        expect.objectContaining({
          refusal: expect.objectContaining({ status: 503, code: 'too_busy' }),
          details: { retryAfterSeconds: 30 },
        }),
      ),
    )
    // The line moves on afterwards.
    await expect(hash('Harbor-Lantern-42!')).resolves.toBeTruthy()
  })
})
