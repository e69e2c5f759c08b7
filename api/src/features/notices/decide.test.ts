import { describe, expect, it } from 'vitest'
import { decide } from './decide.ts'

describe('a document', () => {
  const requested = { isRequested: true, status: 'requested' } as const
  const received = { isRequested: false, status: 'received' } as const
  const reviewed = { isRequested: false, status: 'reviewed' } as const
  const notUsable = { isRequested: false, status: 'notUsable' } as const
  const removed = { isRequested: true, status: 'notUsable' } as const
  it.each([
    ['is requested', null, requested, 'documentRequested'],
    ['is requested again', received, requested, 'documentRequested'],
    ['is still requested', requested, { ...requested, status: null }, undefined],
    ['arrives', requested, received, undefined],
    ['is reviewed', received, reviewed, 'documentReviewed'],
    ['is reviewed without a file', requested, reviewed, 'documentReviewed'],
    ['is reviewed before anyone saw it', null, reviewed, undefined],
    ['cannot be used', received, notUsable, 'documentNotUsable'],
    ['cannot be used and its file is removed', received, removed, 'documentNotUsable'],
    ['loses its file after it could not be used', notUsable, removed, 'documentRequested'],
    ['is deleted', requested, null, undefined],
  ] as const)('that %s', (_, before, after, event) => {
    expect(decide('document', before, after)).toBe(event)
  })
})

describe('an appointment', () => {
  const first = { date: '2026-12-01', time: '09:30' }
  it.each([
    ['is set', null, first, 'appointmentSet'],
    ['is moved to another day', first, { ...first, date: '2026-12-02' }, 'appointmentMoved'],
    ['is moved to another time', first, { ...first, time: '10:00' }, 'appointmentMoved'],
    ['is cancelled', first, null, 'appointmentCancelled'],
    ['stays', first, { ...first }, undefined],
    ['never was', null, null, undefined],
  ] as const)('that %s', (_, before, after, event) => {
    expect(decide('appointment', before, after)).toBe(event)
  })
})

describe('a claim', () => {
  it.each([
    ['reaches another step', { stage: 'a' }, { stage: 'b' }, 'claimStep'],
    ['is new', null, { stage: 'a' }, undefined],
    ['is deleted', { stage: 'a' }, null, undefined],
  ] as const)('that %s', (_, before, after, event) => {
    expect(decide('claim', before, after)).toBe(event)
  })
})

describe('a contact', () => {
  it.each([
    ['gets a case manager', { manager: null }, { manager: 'x' }, 'caseManager'],
    ['gets another case manager', { manager: 'x' }, { manager: 'y' }, 'caseManager'],
    ['loses its case manager', { manager: 'x' }, { manager: null }, undefined],
  ] as const)('that %s', (_, before, after, event) => {
    expect(decide('contact', before, after)).toBe(event)
  })
})
