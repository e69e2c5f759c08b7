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

/** The times at which calls get their turns: `callsPerRound` calls in each round. */
async function turnTimes(
  perMinute: number,
  rounds: number,
  callsPerRound: number,
  everyMs: number,
) {
  const time = clock()
  const times: number[] = []
  const take = pace(perMinute, Infinity, {
    now: time.now,
    wait: async (ms) => {
      times.push(time.now() + ms)
    },
  })
  for (let round = 0; round < rounds; round += 1) {
    for (let n = 0; n < callsPerRound; n += 1) {
      const before = times.length
      await take()
      if (times.length === before) times.push(time.now())
    }
    time.pass(everyMs)
  }
  return times
}

describe('the pace', () => {
  it.each([
    [240, 1, 2_000, 0],
    [1_000, 20, 300, 7_000],
    [240, 30, 50, 11_000],
    [12, 40, 3, 4_000],
    [5, 3, 20, 90_000],
  ])(
    'of %i calls a minute is not exceeded in any minute',
    async (limit, rounds, callsPerRound, everyMs) => {
      const times = (await turnTimes(limit, rounds, callsPerRound, everyMs)).toSorted(
        (a, b) => a - b,
      )
      expect(times).toHaveLength(rounds * callsPerRound)
      const windows = times.slice(limit).map((at, index) => at - times[index]!)
      expect(Math.min(MINUTE_MS, ...windows)).toBeGreaterThanOrEqual(MINUTE_MS - 1)
    },
  )

  it('lets a burst through at once, and the rest at the rate of the limit', async () => {
    const times = await turnTimes(240, 1, 480, 0)
    expect(times.filter((at) => at === 0)).toHaveLength(48)
    expect(Math.max(...times)).toBeLessThan(3 * MINUTE_MS)
  })

  it('refuses a call that would wait too long, and says how long', async () => {
    const take = pace(60, 5_000, clock())
    // Twelve calls at once, and four with a wait of up to 5 seconds; the next would wait 6.25 seconds.
    for (let n = 0; n < 12 + 4; n += 1) await take()
    await expect(take()).rejects.toThrow(new FilesUnavailable('own_pace', 7))
    await expect(take()).rejects.toMatchObject({ retryAfterSeconds: 7 })
  })
})
