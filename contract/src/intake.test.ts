import { describe, expect, it } from 'vitest'
import { shouldReplace, withHistory, PREFILLED } from './intake-merge.ts'
import type { Edit } from './intake-merge.ts'
import { validAnswers, INTAKE_VERSION, upgradeAnswers } from './intake-versions.ts'
import { dateOfBirth, DATE_OUT_OF_RANGE, intakeAnswers, intakeSave } from './intake.ts'
import { EDIT_HISTORY_MAX } from './limits.ts'

const messageFor = (answers: object) => intakeAnswers.safeParse(answers).error?.issues[0]?.message
const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

describe('the intake', () => {
  it.each(['1924-12-31', day(1), '1968-02-30', '03/27/1968', ''])(
    'refuses %j as a date of birth, which must be from 1925-01-01 to today',
    (date) => {
      expect(dateOfBirth.safeParse(date).error?.issues[0]?.message).toBe(DATE_OUT_OF_RANGE)
    },
  )

  it.each(['1925-01-01', '1968-03-27', day(0)])('accepts %j as a date of birth', (date) => {
    expect(dateOfBirth.safeParse(date).success).toBe(true)
  })

  it.each([
    [{ vaDisabilityPay: -1 }, 'VA disability pay must be at least 0'],
    [{ vaDisabilityPay: 'a lot' }, 'Enter an amount in dollars, such as 1716.28'],
    [{ dependents: 11 }, 'Dependents must be from 0 to 10'],
    [{ dependents: -1 }, 'Dependents must be from 0 to 10'],
    [{ dependents: 2.5 }, 'Dependents must be a whole number'],
    [{ zip: '9210' }, 'Enter a valid ZIP code'],
  ])('refuses %j with: %s', (answers, message) => {
    expect(messageFor(answers)).toBe(message)
  })

  it('requires no answer, and clears an answer with null', () => {
    expect(intakeSave.parse({})).toEqual({})
    expect(intakeSave.parse({ street: null, dependents: null })).toEqual({
      street: null,
      dependents: null,
    })
  })
})

describe('a draft of an older version', () => {
  /** Never change it: every later version must be able to read drafts of version 1. */
  const version1 = {
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
    expect(validAnswers(upgradeAnswers(1, version1))).toEqual(version1)
  })

  it('is converted step by step to the current version', () => {
    const upgrades = [
      ({ addr, ...rest }: Record<string, unknown>) => ({ ...rest, road: addr }),
      ({ road, ...rest }: Record<string, unknown>) => ({ ...rest, street: road }),
    ]
    expect(upgradeAnswers(1, { addr: '12 Elm St', zip: '92101' }, upgrades)).toEqual({
      street: '12 Elm St',
      zip: '92101',
    })
    expect(upgradeAnswers(2, { road: '12 Elm St' }, upgrades)).toEqual({ street: '12 Elm St' })
    expect(upgradeAnswers(INTAKE_VERSION, version1)).toBe(version1)
  })

  it('loses only answers that are no longer valid', () => {
    expect(validAnswers({ branch: 'Cavalry', zip: '92101', unknown: 1 })).toEqual({
      zip: '92101',
    })
  })
})

describe('two edits of one answer', () => {
  const first: Edit = { id: 'first', over: [] }
  const second = withHistory(first, { id: 'second', over: [] })

  it('end with the later one, in any order of arrival', () => {
    expect(shouldReplace(first, second)).toBe(true)
    expect(shouldReplace(second, first)).toBe(false)
  })

  it('change nothing when one is repeated, even after a third edit', () => {
    expect(shouldReplace(second, second)).toBe(false)
    const third = withHistory(second, { id: 'third', over: [] })
    expect(shouldReplace(third, first)).toBe(false)
    expect(shouldReplace(third, second)).toBe(false)
  })

  it('end with the last to arrive if they were concurrent', () => {
    const other = { id: 'other', over: [] }
    expect(shouldReplace(first, other)).toBe(true)
    expect(shouldReplace(withHistory(first, other), first)).toBe(false)
    expect(shouldReplace(other, first)).toBe(true)
  })

  it('keep the stored edit in the history of the next one, even if that history is full', () => {
    const stored = { id: 'of another tab', over: [] }
    const over = Array.from({ length: EDIT_HISTORY_MAX }, (_, count) => `e${count}`)
    expect(shouldReplace(withHistory(stored, { id: 'last', over }), stored)).toBe(false)
  })

  it('end with the other one if one is prefilled', () => {
    const prefilled = { id: PREFILLED, over: [] }
    expect(shouldReplace(undefined, prefilled)).toBe(true)
    expect(shouldReplace(first, prefilled)).toBe(false)
    expect(shouldReplace(prefilled, first)).toBe(true)
  })

  it('have a history of at most 50 predecessors, the latest first', () => {
    let edit = first
    for (let count = 0; count < 80; count += 1)
      edit = withHistory(edit, { id: `e${count}`, over: [] })
    expect(edit.over).toHaveLength(50)
    expect(edit.over[0]).toBe('e78')
    expect(intakeSave.safeParse({ city: 'Reno', edits: { city: edit } }).success).toBe(true)
  })

  it.each(['', 'A', 'a\0b', 'x'.repeat(25), '<b>'])('are refused with the invalid id %j', (id) => {
    expect(intakeSave.safeParse({ city: 'Reno', edits: { city: { id, over: [] } } }).success).toBe(
      false,
    )
  })
})
