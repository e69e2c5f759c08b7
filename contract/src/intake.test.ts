import { describe, expect, it } from 'vitest'
import { isOverriddenBy, withHistory, PREFILLED } from './intake-merge.ts'
import type { Edit } from './intake-merge.ts'
import { validAnswers, INTAKE_VERSION, upgraded } from './intake-versions.ts'
import { dateOfBirth, DATE_OUT_OF_RANGE, intakeAnswers, intakeSave } from './intake.ts'
import { EDITS_REMEMBERED } from './limits.ts'

const messageFor = (answers: object) => intakeAnswers.safeParse(answers).error?.issues[0]?.message
const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

describe('the answers of the intake', () => {
  it.each(['1924-12-31', day(1), '1968-02-30', '03/27/1968', ''])(
    'a date of birth must be between 1925-01-01 and today, unlike %j',
    (date) => {
      expect(dateOfBirth.safeParse(date).error?.issues[0]?.message).toBe(DATE_OUT_OF_RANGE)
    },
  )

  it.each(['1925-01-01', '1968-03-27', day(0)])('a date of birth can be %j', (date) => {
    expect(dateOfBirth.safeParse(date).success).toBe(true)
  })

  it.each([
    [{ vaDisabilityPay: -1 }, 'VA disability pay must be at least 0'],
    [{ vaDisabilityPay: 'a lot' }, 'Enter an amount in dollars, such as 1716.28'],
    [{ dependents: 11 }, 'Dependents must be from 0 to 10'],
    [{ dependents: -1 }, 'Dependents must be from 0 to 10'],
    [{ dependents: 2.5 }, 'Dependents must be a whole number'],
    [{ zip: '9210' }, 'Enter a valid ZIP code'],
  ])('%j is refused with: %s', (answers, message) => {
    expect(messageFor(answers)).toBe(message)
  })

  it('are all optional, and null clears one', () => {
    expect(intakeSave.parse({})).toEqual({})
    expect(intakeSave.parse({ street: null, dependents: null })).toEqual({
      street: null,
      dependents: null,
    })
  })
})

describe('a draft of an older version', () => {
  /** As version 1 wrote it. Never change it: every later version must still read it. */
  const first = {
    street: '12 Elm St',
    city: 'San Diego',
    state: 'CA',
    zip: '92101',
    ToC: 'Evening',
    claimType: 'New Claim Never Filed',
    gender: 'Female',
    dominantArm: 'Left',
    dateOfBirth: '1968-03-27',
    branch: 'Coast Guard',
    afghan: true,
    retired: false,
    disabilityRating: 'Not Service Connected',
    activeClaim: 'No',
    vaDisabilityPay: 1716.28,
    dependents: 0,
    ethnicity: 'Other Race',
    race: 'White',
  }

  it('keeps every answer', () => {
    expect(validAnswers(upgraded(1, first))).toEqual(first)
  })

  it('is converted by each later version in turn', () => {
    const renamed = [
      ({ addr, ...rest }: Record<string, unknown>) => ({ ...rest, road: addr }),
      ({ road, ...rest }: Record<string, unknown>) => ({ ...rest, street: road }),
    ]
    expect(upgraded(1, { addr: '12 Elm St', zip: '92101' }, renamed)).toEqual({
      street: '12 Elm St',
      zip: '92101',
    })
    expect(upgraded(2, { road: '12 Elm St' }, renamed)).toEqual({ street: '12 Elm St' })
    expect(upgraded(INTAKE_VERSION, first)).toBe(first)
  })

  it('loses an answer that is not valid any longer, and no other', () => {
    expect(validAnswers({ branch: 'Cavalry', zip: '92101', unknown: 1 })).toEqual({
      zip: '92101',
    })
  })
})

describe('of two edits of one answer', () => {
  const first: Edit = { id: 'first', over: [] }
  const second = withHistory(first, { id: 'second', over: [] })

  it('the later one wins, in whatever order they arrive', () => {
    expect(isOverriddenBy(first, second)).toBe(true)
    expect(isOverriddenBy(second, first)).toBe(false)
  })

  it('a repeated one changes nothing, also after a third', () => {
    expect(isOverriddenBy(second, second)).toBe(false)
    const third = withHistory(second, { id: 'third', over: [] })
    expect(isOverriddenBy(third, first)).toBe(false)
    expect(isOverriddenBy(third, second)).toBe(false)
  })

  it('that were made concurrently, the last to arrive wins', () => {
    const other = { id: 'other', over: [] }
    expect(isOverriddenBy(first, other)).toBe(true)
    expect(isOverriddenBy(withHistory(first, other), first)).toBe(false)
    expect(isOverriddenBy(other, first)).toBe(true)
  })

  it('the stored one is remembered, however many predecessors the next one names', () => {
    const stored = { id: 'of another tab', over: [] }
    const over = Array.from({ length: EDITS_REMEMBERED }, (_, count) => `e${count}`)
    expect(isOverriddenBy(withHistory(stored, { id: 'last', over }), stored)).toBe(false)
  })

  it('a prefilled one is overridden by any other', () => {
    const prefilled = { id: PREFILLED, over: [] }
    expect(isOverriddenBy(undefined, prefilled)).toBe(true)
    expect(isOverriddenBy(first, prefilled)).toBe(false)
    expect(isOverriddenBy(prefilled, first)).toBe(true)
  })

  it('each remembers a bounded number of predecessors, the latest first', () => {
    let edit = first
    for (let count = 0; count < 80; count += 1)
      edit = withHistory(edit, { id: `e${count}`, over: [] })
    expect(edit.over).toHaveLength(50)
    expect(edit.over[0]).toBe('e78')
    expect(intakeSave.safeParse({ city: 'Reno', edits: { city: edit } }).success).toBe(true)
  })

  it.each(['', 'A', 'a\0b', 'x'.repeat(25), '<b>'])('an id is a short word, unlike %j', (id) => {
    expect(intakeSave.safeParse({ city: 'Reno', edits: { city: { id, over: [] } } }).success).toBe(
      false,
    )
  })
})
