import { describe, expect, it } from 'vitest'
import { answeredQuestions, chosenDeployments, QUESTIONS } from './intake-questions.ts'
import { ANSWER_NAMES } from './intake.ts'

const NOWHERE = {
  afghan: false,
  djibouti: false,
  gulf: false,
  syria: false,
  uzbekistan: false,
  nam: false,
}

it('has each answer in one question, and all deployments in the same', () => {
  expect(QUESTIONS).toHaveLength(20)
  expect(QUESTIONS.flat().toSorted()).toEqual(ANSWER_NAMES.toSorted())
})

describe('the number of answered questions', () => {
  it.each([
    [{}, 0],
    [{ city: 'Reno', street: null }, 1],
    [{ dependents: 0, retired: false }, 2],
    // Invalid, so not saved.
    [{ zip: '921', dateOfBirth: '03|27|' }, 0],
    [{ afghan: true, gulf: true }, 1],
    [{ afghan: false }, 0],
    [NOWHERE, 1],
  ])('in %j is %i', (answers, count) => {
    expect(answeredQuestions(answers)).toBe(count)
  })
})

it('takes a No for every place as never deployed', () => {
  expect(chosenDeployments(NOWHERE)).toEqual(['None of these'])
  expect(chosenDeployments({ ...NOWHERE, nam: true })).toEqual(['Vietnam'])
  expect(chosenDeployments({})).toEqual([])
})
