import type { Model } from './model.ts'
import type { Portal } from './portal.ts'

export interface Step {
  /** How often it is chosen, compared with others. */
  weight: number
  /** Whether it makes sense in this state. */
  when(model: Readonly<Model>, browser: 0 | 1): boolean
  /**
   * Does the same to the portal and to the model, and compares the response with what the model expects. `pick`
   * selects one of several links, codes or durations, modulo their number.
   */
  run(model: Model, portal: Portal, browser: 0 | 1, pick: number): Promise<void>
}

export const challengeOf = (model: Model, browser: 0 | 1) => model.browsers[browser].challenge!
export const sessionOf = (model: Model, browser: 0 | 1) => model.browsers[browser].session!
export const hasChallenge = ({ browsers }: Model, browser: 0 | 1) =>
  browsers[browser].challenge !== undefined
export const hasSession = ({ browsers }: Model, browser: 0 | 1) =>
  browsers[browser].session !== undefined
