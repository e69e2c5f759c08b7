import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { boot } from '../../support/boot.ts'
import { limitedConcurrency } from '../../support/concurrency.ts'
import { PASSWORD } from '../../support/outside/account.ts'
import { figures, headline, markdownTable } from '../figures.ts'
import { isFullSize, smallOrFull } from '../size.ts'
import { isAccepted, isLive, newModel } from './sign-in-model/model.ts'
import type { Model } from './sign-in-model/model.ts'
import { portal } from './sign-in-model/portal.ts'
import type { Portal } from './sign-in-model/portal.ts'
import { requireTrue } from './sign-in-model/sentences.ts'
import type { Step } from './sign-in-model/step.ts'
import { steps } from './sign-in-model/steps.ts'

const testApp = await boot()
const real = portal(testApp, await testApp.account('ADMIN'))
// At full size more than the usual hour.
const TIMEOUT_MS = smallOrFull(300_000, 14_400_000)
vi.setConfig({ testTimeout: TIMEOUT_MS })

const SEQUENCES = smallOrFull(15, 2_000)
const MAX_STEPS = smallOrFull(30, 40)
/** Sequences that run at the same time: most of their time they wait for an email. */
const CONCURRENT = 5

const counts = new Map(Object.keys(steps).map((name) => [name, { chosen: 0, executed: 0 }]))
let opened = 0

async function requireInvariants(model: Model): Promise<void> {
  for (const session of model.sessions) {
    const isServed = await real.isServed(session)
    const sentence = session.ended ?? 'a session is served until it is idle or too old'
    requireTrue(isServed === isAccepted(model, session), sentence)
  }
  const live = model.sessions.filter((session) => isLive(model, session))
  const stored = await real.countLiveSessions(model)
  requireTrue(stored === live.length, 'a session exists only after a right code')
}

class StepCommand implements fc.AsyncCommand<Model, Portal> {
  readonly #name: string
  readonly #step: Step
  readonly #browser: 0 | 1
  readonly #pick: number
  constructor(name: string, step: Step, browser: 0 | 1, pick: number) {
    this.#name = name
    this.#step = step
    this.#browser = browser
    this.#pick = pick
  }

  check(model: Readonly<Model>): boolean {
    counts.get(this.#name)!.chosen += 1
    return this.#step.when(model, this.#browser)
  }
  async run(model: Model, api: Portal): Promise<void> {
    counts.get(this.#name)!.executed += 1
    await api.clearLimits()
    await api.stopClock(model)
    await this.#step.run(model, api, this.#browser, this.#pick)
    await requireInvariants(model)
  }
  toString(): string {
    return `browser ${this.#browser + 1} ${this.#name} (${this.#pick})`
  }
}

const anyStep = Object.entries(steps).flatMap(([name, step]) => {
  const command = fc
    .tuple(fc.constantFrom(0 as const, 1 as const), fc.nat(59))
    .map(([browser, pick]) => new StepCommand(name, step, browser, pick))
  return Array.from({ length: step.weight }, () => command)
})
const sequence = fc.commands(anyStep, { maxCommands: MAX_STEPS, size: 'max' })

it('no sequence of sign-ups, sign-ins, codes, resets, log-outs and time breaks an invariant', async () => {
  const runs = await limitedConcurrency(
    CONCURRENT,
    (index) =>
      fc.check(
        fc.asyncProperty(fc.boolean(), sequence, async (exists, commands) => {
          const account = exists ? await testApp.account() : undefined
          const email = account?.email ?? `${randomUUID()}@example.com`
          const model = newModel(email, PASSWORD, exists)
          await fc.asyncModelRun(() => ({ model, real }), commands)
          opened += model.sessions.length
        }),
        {
          numRuns: Math.ceil((SEQUENCES - index) / CONCURRENT),
          // Else most sequences would have only a few steps.
          unbiased: true,
          includeErrorInReport: true,
          // Leaves time to print the counterexample, even if it is not yet shrunk completely.
          interruptAfterTimeLimit: 0.6 * TIMEOUT_MS,
        },
      ),
    CONCURRENT,
  )
  const broken = await Promise.all(
    runs.filter(({ failed }) => failed).map((run) => fc.asyncDefaultReportMessage(run)),
  )
  const sequences = runs.reduce((sum, { numRuns }) => sum + numRuns, 0)
  const totals = [...counts.values()]
  const executed = totals.reduce((sum, count) => sum + count.executed, 0)
  const chosen = totals.reduce((sum, count) => sum + count.chosen, 0)
  markdownTable([
    ['step', 'executed', 'of those chosen'],
    ...[...counts].map(([name, count]) => [
      name,
      count.executed,
      `${Math.round((100 * count.executed) / Math.max(count.chosen, 1))} %`,
    ]),
  ])
  figures('sign-in model', {
    sequences,
    'commands executed': executed,
    'share executed': `${Math.round((100 * executed) / chosen)} %`,
    'sessions opened': opened,
    'broken invariants': broken.length,
  })
  headline.sum({
    sequences,
    steps: executed,
    'sessions opened': opened,
    'broken invariants': broken.length,
  })
  expect(broken).toEqual([])
  const missing = [...counts].filter(([, count]) => isFullSize && count.executed === 0)
  expect(missing).toEqual([])
  expect(sequences).toBe(SEQUENCES)
  expect(opened).toBeGreaterThan(0)
})
