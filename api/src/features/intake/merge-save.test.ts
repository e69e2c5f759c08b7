import { describe, expect, it } from 'vitest'
import { mergeSave, editsOfTimes, timesOfEdits } from './merge-save.ts'
import type { StoredEdits } from './merge-save.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')
const HOUR = 3_600_000

/** Merges saves of pages of an older release. Returns the city that is stored in the end. */
function cityAfter(...saves: [city: string, deviceTime: number, receivedAt: number][]) {
  let edits: StoredEdits = {}
  let stored: string | null | undefined
  for (const [city, time, now] of saves) {
    const merged = mergeSave({ city, editedAt: { city: time } }, edits, now)
    if ('city' in merged.values) stored = merged.values.city
    edits = merged.edits
  }
  return stored
}

describe('the time of a device', () => {
  it('identifies a slow save that was made before the stored one', () => {
    expect(cityAfter(['new', NOW - 10, NOW], ['old', NOW - 20, NOW + 9_000])).toBe('new')
  })

  it('that is an hour behind does not discard what is entered later', () => {
    expect(cityAfter(['first', NOW, NOW], ['later', NOW - HOUR, NOW + 61_000])).toBe('later')
  })

  it('that is an hour ahead does not discard what is entered elsewhere', () => {
    expect(cityAfter(['first', NOW + HOUR, NOW], ['later', NOW + 5, NOW + 5])).toBe('later')
  })

  it('is ignored for saves of a newer page', () => {
    const before = mergeSave({ city: 'Reno', editedAt: { city: NOW } }, {}, NOW).edits
    const edits = { city: { id: 'new', over: [] } }
    const { values } = mergeSave({ city: 'Elko', edits }, before, NOW - HOUR)
    expect(values).toEqual({ city: 'Elko' })
  })
})

describe('for a process or page of the previous release', () => {
  it('every stored edit has a time, and none is in the future', () => {
    const edits: StoredEdits = {
      city: { id: 'a', over: [], at: NOW - 5 },
      zip: { id: 't:7', over: [], at: NOW - 5, deviceTime: 7 },
      street: { id: `t:${NOW + HOUR}`, over: [], at: 0 },
    }
    expect(timesOfEdits(edits, NOW)).toEqual({ city: NOW - 5, zip: 7, street: NOW })
  })

  it('edits that it stored as times only can be read', () => {
    expect(editsOfTimes({ city: 5 })).toEqual({ city: { id: 't:5', over: [], at: 0 } })
  })
})
