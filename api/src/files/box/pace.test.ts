import { describe, expect, it } from 'vitest'
import { FilesUnavailable } from '../port.ts'
import { pace } from './pace.ts'

const MINUTE_MS = 60_000

/** A clock that the test moves. */
function clock() {
  let now = 0
  return {
    now: () => now,
    wait: async (ms: number) => ms,
    pass: (ms: number) => {
      now += ms
    },
  }
}

/** The times at which calls get their turns: `atOnce` calls in each round. */
async function turns(perMinute: number, rounds: number, atOnce: number, everyMs: number) {
  const time = clock()
  const through: number[] = []
  const take = pace(perMinute, Infinity, {
    now: time.now,
    wait: async (ms) => {
      through.push(time.now() + ms)
    },
  })
  for (let round = 0; round < rounds; round += 1) {
    for (let n = 0; n < atOnce; n += 1) {
      const before = through.length
      await take()
      if (through.length === before) through.push(time.now())
    }
    time.pass(everyMs)
  }
  return through
}

describe('the pace', () => {
  it.each([
    [240, 1, 2_000, 0],
    [1_000, 20, 300, 7_000],
    [240, 30, 50, 11_000],
    [12, 40, 3, 4_000],
    [5, 3, 20, 90_000],
  ])('of %i a minute is kept in any minute', async (limit, rounds, atOnce, everyMs) => {
    const through = (await turns(limit, rounds, atOnce, everyMs)).toSorted((a, b) => a - b)
    expect(through).toHaveLength(rounds * atOnce)
    const windows = through.slice(limit).map((at, index) => at - through[index]!)
    expect(Math.min(MINUTE_MS, ...windows)).toBeGreaterThanOrEqual(MINUTE_MS - 1)
  })

  it('lets a burst through at once, and the rest at the rate of the limit', async () => {
    const through = await turns(240, 1, 480, 0)
    expect(through.filter((at) => at === 0)).toHaveLength(48)
    expect(Math.max(...through)).toBeLessThan(3 * MINUTE_MS)
  })

  it('refuses a call that would wait too long, and says how long', async () => {
    const take = pace(60, 5_000, clock())
    for (let n = 0; n < 12 + 4; n += 1) await take()
    await expect(take()).rejects.toThrow(new FilesUnavailable('own_pace', 7))
    await expect(take()).rejects.toMatchObject({ retryAfterSeconds: 7 })
  })
})
