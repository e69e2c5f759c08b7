import { ANSWER_NAMES, INTAKE_STEPS } from '@guidon/contract/intake'
import { expect, it } from 'vitest'
import { answerOf, fieldText, formValue } from './entries.ts'
import { knownAddress } from './known-address.ts'
import {
  allSteps,
  firstInvalidStep,
  nextUnansweredStep,
  questionSteps,
  sectionsOf,
  stepAtDistance,
  stepProgress,
} from './steps.ts'

const everything = {
  street: '12 Elm St',
  city: 'San Diego',
  state: 'CA',
  zip: '92101',
  ToC: 'Evening',
  claimType: 'New Claim Previously Filed',
  gender: 'Male',
  dominantArm: 'Right',
  dateOfBirth: '1968-03-27',
  branch: 'Navy',
  afghan: true,
  nam: true,
  gulf: false,
  retired: true,
  nine11: false,
  disabilityRating: '30%',
  activeClaim: 'Yes',
  activeAppeal: 'No',
  vaDisabilityPay: 1716.28,
  dependents: 0,
  ethnicity: 'Other Race',
  race: 'White',
}

it('has the steps in the order of the menu, and each answer once', () => {
  expect(allSteps.map(({ title }) => title)).toEqual([
    'Initial Info',
    'Goal',
    'Personal Details',
    'Military Info',
    'VA Info',
    'Financial Info',
    'Demographic Info',
    'Preview',
  ])
  expect(allSteps.map(({ name }) => name)).toEqual(INTAKE_STEPS)
  const names = questionSteps.flatMap(({ answers }) => answers)
  expect(names.toSorted()).toEqual(ANSWER_NAMES.toSorted())
})

it('goes one step at a time, and stops at the first and the last', () => {
  expect(stepAtDistance('goal', 1)).toBe('personalDetails')
  expect(stepAtDistance('goal', -1)).toBe('initialInfo')
  expect(stepAtDistance('initialInfo', -1)).toBe('initialInfo')
  expect(stepAtDistance('preview', 1)).toBe('preview')
})

it('shows the sections of the Preview', () => {
  expect(
    sectionsOf(everything).map(({ heading, rows }) => [heading].concat(rows as never)),
  ).toEqual([
    [
      'More About You',
      ['Street', '12 Elm St'],
      ['City', 'San Diego'],
      ['State', 'California'],
      ['ZIP code', '92101'],
      ['Preferred contact time', 'Evening'],
    ],
    ['Your Goal With Us', ['Filed with the VA before', 'Yes']],
    [
      'Personal Information',
      ['Gender', 'Male'],
      ['Dominant arm', 'Right'],
      ['Date of birth', 'March 27, 1968'],
    ],
    [
      'Military Information',
      ['Branch', 'Navy'],
      ['Deployments', 'Afghanistan, Vietnam'],
      ['Retired', 'Yes'],
      ['Served in combat after 9/11', 'No'],
    ],
    [
      'VA & Financial Information',
      ['Disability rating', '30%'],
      ['Active claim', 'Yes'],
      ['Active appeal', 'No'],
      ['VA disability pay', '$1,716.28'],
      ['Dependents', '0'],
    ],
    ['Demographic Information', ['Ethnicity', 'Other Race'], ['Race', 'White']],
  ])
})

it('shows N/A for every empty value', () => {
  const texts = sectionsOf({ street: null }).flatMap(({ rows }) => rows.map(([, text]) => text))
  expect(new Set(texts)).toEqual(new Set(['N/A']))
})

it('finds the first step with an invalid answer', () => {
  expect(firstInvalidStep(everything)).toBeUndefined()
  expect(firstInvalidStep({})).toBeUndefined()
  expect(firstInvalidStep({ ...everything, dependents: 11, zip: '92' })?.name).toBe('initialInfo')
  expect(firstInvalidStep({ dependents: 'many' })?.name).toBe('financialInfo')
})

it('counts the answered questions of a step, and reports an invalid one', () => {
  expect(stepProgress('militaryInfo', everything)).toEqual({
    answered: 4,
    total: 4,
    invalid: false,
  })
  expect(stepProgress('initialInfo', { city: 'Reno', zip: '92' })).toEqual({
    answered: 1,
    total: 5,
    invalid: true,
  })
  expect(stepProgress('preview', everything)).toBeUndefined()
})

it('finds the next step with an unanswered question, and the Preview after the last', () => {
  expect(nextUnansweredStep({})).toBe('initialInfo')
  const most = { ...everything, gender: null, race: null }
  expect(nextUnansweredStep(most)).toBe('personalDetails')
  expect(nextUnansweredStep(most, 'personalDetails')).toBe('demographicInfo')
  expect(nextUnansweredStep(most, 'demographicInfo')).toBe('preview')
  expect(nextUnansweredStep(everything)).toBe('preview')
})

it.each([
  ['street', '  12 Elm St ', '12 Elm St'],
  ['street', '   ', null],
  ['state', 'California', 'CA'],
  ['vaDisabilityPay', '$1,716.28', 1716.28],
  ['vaDisabilityPay', 'a lot', 'a lot'],
  ['dependents', '0', 0],
  ['dependents', '-1', -1],
  ['retired', 'Yes', true],
  ['nine11', 'No', false],
  ['race', '', null],
  ['afghan', true, true],
] as const)('converts %s %j of the form to the answer %j', (name, value, answer) => {
  expect(answerOf(name, value)).toBe(answer)
})

it('converts every answer to its field and back', () => {
  for (const name of ANSWER_NAMES) {
    const answer = everything[name as keyof typeof everything] ?? null
    expect(answerOf(name, formValue(name, answer)) ?? null).toBe(answer)
  }
  expect(fieldText('zip', '921')).toBe('921')
})

it('finds the state by its name or its code, and leaves out unknown parts', () => {
  const nothing = { firstName: null, lastName: null, phone: null, email: null }
  const address = { street: null, city: 'Reno', zip: null }
  expect(knownAddress({ ...nothing, ...address, state: 'Nevada' })).toEqual({
    city: 'Reno',
    state: 'NV',
  })
  expect(knownAddress({ ...nothing, ...address, state: 'NV' })).toMatchObject({ state: 'NV' })
  expect(knownAddress({ ...nothing, ...address, city: null, state: 'Guam' })).toEqual({})
})
