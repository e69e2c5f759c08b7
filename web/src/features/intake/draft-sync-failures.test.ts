import type { IntakeSave } from '@guidon/contract/intake'
import { beforeEach, describe, expect, it } from 'vitest'
import { createDraftSync } from './draft-sync.ts'
import type { Outcome } from './save-outcome.ts'

const saved: Outcome = { kind: 'saved', savedAt: '2026-11-15T15:42:00.000Z', submittedAt: null }
const failed: Outcome = { kind: 'failed', reason: 'no_network' }

let sends: IntakeSave[]
let respondWith: () => Outcome | Promise<Outcome>
let idCount: number

const openDraft = () =>
  createDraftSync({
    storage: sessionStorage,
    owner: 'james@example.com',
    newId: () => `e${(idCount += 1)}`,
    send: async (save) => {
      sends.push(structuredClone(save))
      return respondWith()
    },
  })

beforeEach(() => {
  sends = []
  idCount = 0
  respondWith = () => saved
})

describe('failed saves', () => {
  it('are counted by their reason, also over a reload, and reported once with the next save', async () => {
    const before = openDraft()
    before.enter({ city: 'Reno' })
    respondWith = () => failed
    await before.save()
    await before.save()
    const draft = openDraft()
    respondWith = () => ({ kind: 'failed', reason: 'timed_out' })
    await draft.submit()
    respondWith = () => saved
    await draft.save()
    expect(sends.at(-1)?.failures).toEqual({ no_network: 2, timed_out: 1, submits: 1 })
    draft.enter({ city: 'Elko' })
    await draft.save()
    expect(sends.at(-1)).not.toHaveProperty('failures')
  })

  it('are not reported if there were none', async () => {
    const draft = openDraft()
    draft.enter({ city: 'Reno' })
    await draft.save()
    expect(sends).toEqual([{ city: 'Reno', edits: { city: { id: 'e1', over: [] } } }])
  })
})

describe('a tab that is about to close', () => {
  it('sends what was typed during a save without waiting for it', async () => {
    const first = Promise.withResolvers<Outcome>()
    respondWith = () => first.promise
    const draft = openDraft()
    draft.enter({ city: 'Reno' })
    void draft.save()
    draft.enter({ city: 'Elko', street: '12 Elm St' })
    draft.flush()
    draft.flush()
    expect(sends).toHaveLength(2)
    expect(sends[1]).toEqual({
      city: 'Elko',
      street: '12 Elm St',
      // `over`: the server ignores the first save if it arrives after this one.
      edits: { city: { id: 'e2', over: ['e1'] }, street: { id: 'e3', over: [] } },
    })
  })

  it.each([
    ['an invalid answer', { zip: '921' }, saved],
    ['an answer that could not be sent', { city: 'Reno' }, failed],
  ])('would lose %s', async (_, answers, outcome) => {
    const draft = openDraft()
    expect(draft.keptHereOnly()).toBe('')
    draft.enter(answers)
    respondWith = () => outcome
    await draft.save()
    expect(draft.keptHereOnly()).toBe('e1')
  })

  it('loses nothing that is saved or was not typed by the veteran', async () => {
    const draft = openDraft()
    draft.prefill({ state: 'CA' })
    draft.go('goal')
    respondWith = () => failed
    await draft.save()
    expect(draft.keptHereOnly()).toBe('')
    respondWith = () => saved
    draft.enter({ city: 'Reno' })
    await draft.save()
    expect(draft.keptHereOnly()).toBe('')
  })

  it('would lose a submit that was not confirmed', async () => {
    const draft = openDraft()
    respondWith = () => failed
    await draft.submit()
    expect(draft.keptHereOnly()).toBe('submit')
  })
})

it('tells that answers came after the intake had been submitted elsewhere', async () => {
  const draft = openDraft()
  draft.enter({ city: 'Reno' })
  respondWith = () => ({ kind: 'closed' })
  await draft.save()
  expect(draft.wasTooLate()).toBe(true)
})
