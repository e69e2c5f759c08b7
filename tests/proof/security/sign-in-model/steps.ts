import { CODE_TRIES } from '@guidon/contract/limits'
import { codeSteps } from './code-steps.ts'
import { sessionSteps } from './session-steps.ts'
import type { Step } from './step.ts'

/** Two single steps would rarely follow each other. */
const bothSteps = (weight: number, first: Step, second: Step): Step => ({
  weight,
  when: (model, browser) => first.when(model, browser),
  run: async (model, portal, browser, pick) => {
    await first.run(model, portal, browser, pick)
    if (second.when(model, browser)) await second.run(model, portal, browser, pick)
  },
})

const enterCode = codeSteps['enters the right code']

/** All wrong codes that a challenge allows, or one less. */
const useUpTries: Step = {
  weight: 0,
  when: enterCode.when,
  run: async (model, portal, browser, pick) => {
    for (let tries = pick % 2; tries < CODE_TRIES; tries += 1) {
      await codeSteps['enters a wrong code'].run(model, portal, browser)
    }
  },
}

export const steps: Record<string, Step> = {
  ...codeSteps,
  ...sessionSteps,
  'signs up and enters the code': bothSteps(
    3,
    { ...codeSteps['signs up'], when: ({ account }) => account === 'none' },
    enterCode,
  ),
  'logs in and enters the code': bothSteps(
    6,
    { ...codeSteps['logs in'], when: ({ account }) => account === 'active' },
    enterCode,
  ),
  'lets time pass and enters the code': bothSteps(
    2,
    { ...sessionSteps['lets time pass'], when: enterCode.when },
    enterCode,
  ),
  'uses up the tries and enters the code': bothSteps(2, useUpTries, enterCode),
}
