import { STATES } from '@guidon/contract/states'

type StateCode = (typeof STATES)[number]['code']

const EASTERN = 'America/New_York'
const CENTRAL = 'America/Chicago'
const MOUNTAIN = 'America/Denver'
const PACIFIC = 'America/Los_Angeles'

/** The time zones of each state, also of its small parts. From east to west. */
const ZONES: Readonly<Record<StateCode, readonly string[]>> = {
  AL: [CENTRAL],
  AK: ['America/Anchorage', 'America/Adak'],
  // Only the Navajo Nation observes daylight saving time in Arizona.
  AZ: [MOUNTAIN, 'America/Phoenix'],
  AR: [CENTRAL],
  CA: [PACIFIC],
  CO: [MOUNTAIN],
  CT: [EASTERN],
  DE: [EASTERN],
  FL: [EASTERN, CENTRAL],
  GA: [EASTERN],
  HI: ['Pacific/Honolulu'],
  ID: ['America/Boise', PACIFIC],
  IL: [CENTRAL],
  IN: [EASTERN, CENTRAL],
  IA: [CENTRAL],
  KS: [CENTRAL, MOUNTAIN],
  KY: [EASTERN, CENTRAL],
  LA: [CENTRAL],
  ME: [EASTERN],
  MD: [EASTERN],
  MA: [EASTERN],
  MI: [EASTERN, CENTRAL],
  MN: [CENTRAL],
  MS: [CENTRAL],
  MO: [CENTRAL],
  MT: [MOUNTAIN],
  NE: [CENTRAL, MOUNTAIN],
  NV: [MOUNTAIN, PACIFIC],
  NH: [EASTERN],
  NJ: [EASTERN],
  NM: [MOUNTAIN],
  NY: [EASTERN],
  NC: [EASTERN],
  ND: [CENTRAL, MOUNTAIN],
  OH: [EASTERN],
  OK: [CENTRAL, MOUNTAIN],
  OR: [MOUNTAIN, PACIFIC],
  PA: [EASTERN],
  RI: [EASTERN],
  SC: [EASTERN],
  SD: [CENTRAL, MOUNTAIN],
  TN: [EASTERN, CENTRAL],
  TX: [CENTRAL, MOUNTAIN],
  UT: [MOUNTAIN],
  VT: [EASTERN],
  VA: [EASTERN],
  WA: [PACIFIC],
  WV: [EASTERN],
  WI: [CENTRAL],
  WY: [MOUNTAIN],
}

/** Nobody can sign up with these, but staff can write them into an address. */
const OTHER_PLACES = [
  { code: 'DC', name: 'District of Columbia', zones: [EASTERN] },
  { code: 'PR', name: 'Puerto Rico', zones: ['America/Puerto_Rico'] },
  { code: 'VI', name: 'Virgin Islands', zones: ['America/Puerto_Rico'] },
  { code: 'GU', name: 'Guam', zones: ['Pacific/Guam'] },
  { code: 'MP', name: 'Northern Mariana Islands', zones: ['Pacific/Guam'] },
  { code: 'AS', name: 'American Samoa', zones: ['Pacific/Pago_Pago'] },
]
const PLACES = [
  ...STATES.map(({ code, name }) => ({ code, name, zones: ZONES[code] })),
  ...OTHER_PLACES,
]

const UNKNOWN_STATE = [EASTERN, PACIFIC]

/** The name or the code of a state or territory, as a person or the CRM wrote it. */
const stateKey = (state: string | null): string => (state ?? '').trim().toUpperCase()

const zonesByKey = new Map<string, readonly string[]>(
  PLACES.flatMap(({ code, name, zones }) => [
    [code, zones],
    [name.toUpperCase(), zones],
  ]),
)

export const zonesOf = (state: string | null): readonly string[] =>
  zonesByKey.get(stateKey(state)) ?? UNKNOWN_STATE

export const firstKnownState = (...states: (string | null)[]): string | null =>
  states.find((state) => zonesByKey.has(stateKey(state))) ?? null

const FIRST_HOUR = 8
const LAST_HOUR = 21

const formats = new Map<string, Intl.DateTimeFormat>()

/** The date and the time on a clock in this zone, as `2026-11-16T09:30`. */
export function wallClock(at: Date, zone: string): string {
  let format = formats.get(zone)
  if (!format) {
    // The Swedish way to write a date sorts by time.
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'short',
    })
    formats.set(zone, format)
  }
  return format.format(at).replace(' ', 'T')
}

/** Whether it is between 8 and 21 o'clock in every zone of the state. */
export function isDaytime(at: Date, state: string | null): boolean {
  return zonesOf(state).every((zone) => {
    const hour = Number(wallClock(at, zone).slice(11, 13))
    return hour >= FIRST_HOUR && hour < LAST_HOUR
  })
}

/** All zones of the US differ by whole quarters of an hour. */
const STEP_MS = 15 * 60_000

/** This time, or else the first quarter of an hour at daytime after it. */
export function nextDaytime(at: Date, state: string | null): Date {
  let time = at
  while (!isDaytime(time, state)) {
    time = new Date(Math.floor(time.getTime() / STEP_MS) * STEP_MS + STEP_MS)
  }
  return time
}

interface StateTimes {
  state: string
  /** When a notice that is due at the given time can be sent. */
  dueAt: Date
  /** At 10:00 in this zone, it is daytime in the whole state. */
  zone: string
}

/** For SQL: one entry for each way to write a state, and an empty one for unknown states. */
export function timesByState(at: Date): StateTimes[] {
  const byZones = new Map<readonly string[], Date>()
  return ['', ...zonesByKey.keys()].map((state) => {
    const zones = zonesOf(state)
    const dueAt = byZones.get(zones) ?? nextDaytime(at, state)
    byZones.set(zones, dueAt)
    return { state, dueAt, zone: zones.at(-1)! }
  })
}
