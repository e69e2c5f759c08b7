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

export const steps: Record<string, Step> = {
  ...codeSteps,
  ...sessionSteps,
  'signs up and enters the code': bothSteps(
    3,
    { ...codeSteps['signs up'], when: ({ account }) => account === 'none' },
    codeSteps['enters the right code'],
  ),
  'logs in and enters the code': bothSteps(
    6,
    { ...codeSteps['logs in'], when: ({ account }) => account === 'active' },
    codeSteps['enters the right code'],
  ),
}
