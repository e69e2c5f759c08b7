import { expect, it } from 'vitest'
import { sampleClaim } from '../../../test/sample-case.ts'
import { movedBackText, neededText, stageFacts } from './claim-texts.ts'

const SINCE = new Date(2020, 10, 4, 9).toISOString()
const claim = sampleClaim({ since: SINCE })

it('says since when, how long it usually takes, and who acts', () => {
  expect(stageFacts(claim)).toBe(
    'Since November 4, 2020. This step usually takes 3 to 6 weeks. We are working on it.',
  )
})

it('says only what is known', () => {
  const stage = { label: 'Odd', sentence: null, actor: null, usualTime: null }
  expect(stageFacts({ ...claim, since: null, stage })).toBe('')
})

it.each([
  ['you', 'This step needs you.'],
  ['us', 'We are working on it.'],
  ['va', 'VA is working on it.'],
] as const)('says who acts: %s', (actor, sentence) => {
  expect(stageFacts({ ...claim, stage: { ...claim.stage, actor } })).toContain(sentence)
})

it('says whether the veteran has to do something, unless the step itself needs the veteran', () => {
  expect(neededText(claim, 0)).toBe('Nothing is needed from you right now.')
  expect(neededText(claim, 1)).toBe('Nothing is needed from you except the item above.')
  expect(neededText(claim, 3)).toBe('Nothing is needed from you except the items above.')
  expect(neededText(claim, undefined)).toBe('')
  expect(neededText({ ...claim, stage: { ...claim.stage, actor: 'you' } }, 0)).toBe('')
})

it('says when the claim was moved back, with the year if it is not the current one', () => {
  expect(movedBackText(claim)).toBe('We moved your claim back to this step on November 4, 2020.')
  expect(movedBackText({ ...claim, since: null })).toBe('We moved your claim back to this step.')
})
