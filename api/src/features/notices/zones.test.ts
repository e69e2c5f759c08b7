import { STATES } from '@guidon/contract/states'
import { describe, expect, it } from 'vitest'
import { isDaytime, nextDaytime, timesByState, wallClock, zonesOf } from './zones.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('a notice at night', () => {
  it.each([
    ['New York', '2026-11-17T02:30:00Z', '2026-11-17T13:00:00Z'],
    ['California', '2026-11-17T05:00:00Z', '2026-11-17T16:00:00Z'],
    // It must be daytime in both zones of the state.
    ['Texas', '2026-11-17T14:00:00Z', '2026-11-17T15:00:00Z'],
    ['Texas', '2026-11-18T03:00:00Z', '2026-11-18T15:00:00Z'],
    ['Hawaii', '2026-11-17T12:00:00Z', '2026-11-17T18:00:00Z'],
    ['Guam', '2026-11-17T13:00:00Z', '2026-11-17T22:00:00Z'],
    ['pr', '2026-11-17T11:00:00Z', '2026-11-17T12:00:00Z'],
    // Unknown: Eastern and Pacific.
    ['APO', '2026-11-17T13:00:00Z', '2026-11-17T16:00:00Z'],
    ['', '2026-11-18T02:00:00Z', '2026-11-18T16:00:00Z'],
  ])('waits for the morning: %s at %s', (state, at, expected) => {
    expect(nextDaytime(new Date(at), state)).toEqual(new Date(expected))
  })

  it('follows daylight saving time on the night when it begins and when it ends', () => {
    const spring = nextDaytime(new Date('2027-03-14T05:00:00Z'), 'Ohio')
    expect(spring).toEqual(new Date('2027-03-14T12:00:00Z'))
    const autumn = nextDaytime(new Date('2026-11-01T05:00:00Z'), 'Ohio')
    expect(autumn).toEqual(new Date('2026-11-01T13:00:00Z'))
    // Arizona has none, but the Navajo Nation does.
    expect(nextDaytime(new Date('2027-07-01T06:00:00Z'), 'AZ')).toEqual(
      new Date('2027-07-01T15:00:00Z'),
    )
  })
})

it('a notice at daytime is sent at once', () => {
  const noon = new Date('2026-11-17T18:07:31Z')
  expect(nextDaytime(noon, 'Nevada')).toEqual(noon)
})

it.each(STATES)(
  '10:00 in the west of $name is daytime in the whole state, all year',
  ({ name }) => {
    const zone = zonesOf(name).at(-1)!
    for (let day = 0; day < 366; day += 1) {
      const earliest = Date.parse('2026-11-17T13:00:00Z') + day * DAY_MS
      const ten = Array.from({ length: 8 }, (_, hour) => new Date(earliest + hour * HOUR_MS)).find(
        (time) => wallClock(time, zone).endsWith('T10:00'),
      )
      expect(isDaytime(ten!, name)).toBe(true)
    }
  },
)

it('knows a state by its name and by its code, however it is written', () => {
  expect(zonesOf(' tx ')).toEqual(zonesOf('Texas'))
  const states = timesByState(new Date()).map(({ state }) => state)
  expect(new Set(states).size).toBe(states.length)
  expect(states).toEqual(expect.arrayContaining(['', 'TX', 'TEXAS', 'GU', 'GUAM']))
})
