import type { Intake, IntakeSave } from '@guidon/contract/intake'
import { beforeEach, describe, expect, it } from 'vitest'
import { createDraftSync, type DraftSync } from './draft-sync.ts'
import type { Outcome } from './save-outcome.ts'

const OWNER = 'james@example.com'
const saved: Outcome = { kind: 'saved', savedAt: '2026-11-15T15:42:00.000Z', submittedAt: null }
const failed: Outcome = { kind: 'failed', reason: 'no_network' }
const submitted: Outcome = { ...saved, submittedAt: '2026-11-15T15:42:00.000Z' }
const FORM = 'guidon.intake.form'

let sends: IntakeSave[]
let respondWith: (save: IntakeSave) => Outcome | Promise<Outcome>
let idCount: number

function openDraft(owner = OWNER): DraftSync {
  return createDraftSync({
    storage: sessionStorage,
    owner,
    newId: () => `e${(idCount += 1)}`,
    send: async (save) => {
      sends.push(structuredClone(save))
      return respondWith(save)
    },
  })
}

const edit = (id: string) => ({ id, over: [] })
const stored = (key = FORM) => JSON.parse(sessionStorage.getItem(key) ?? '{}')

beforeEach(() => {
  sends = []
  idCount = 0
  respondWith = () => saved
})

describe('an entered answer', () => {
  it('is stored in the tab at once, under three keys: form, personal details and VA info', () => {
    openDraft().enter({ zip: '921', gender: 'Male', disabilityRating: '30%' })
    expect(stored().answers).toEqual({ zip: '921' })
    expect(stored('guidon.intake.personal-details').answers).toEqual({ gender: 'Male' })
    expect(stored('guidon.intake.va-info').answers).toEqual({ disabilityRating: '30%' })
    expect(sessionStorage).toHaveLength(3)
  })

  it('is sent to the server once, as its own edit', async () => {
    const draft = openDraft()
    draft.enter({ street: '12 Elm St' })
    await draft.save()
    draft.enter({ street: '12 Elm St', city: 'Reno' })
    await draft.save()
    await draft.save()
    expect(sends).toEqual([
      { street: '12 Elm St', edits: { street: { id: 'e1', over: [] } } },
      { city: 'Reno', edits: { city: { id: 'e2', over: [] } } },
    ])
    expect(draft.state()).toEqual({ kind: 'saved', at: '2026-11-15T15:42:00.000Z' })
  })

  it('stays in the tab while it is invalid, and the state says so', async () => {
    const draft = openDraft()
    draft.enter({ zip: '921', city: 'Reno' })
    await draft.save()
    expect(sends).toEqual([{ city: 'Reno', edits: { city: { id: 'e2', over: [] } } }])
    expect(draft.state().kind).toBe('saved')
    draft.mark(['zip', 'city'], ['zip'])
    expect(draft.state()).toEqual({ kind: 'invalid' })
    expect(draft.answers().zip).toBe('921')
    draft.enter({ zip: '92101' })
    expect(draft.state()).toEqual({ kind: 'saving' })
    await draft.save()
    expect(draft.state().kind).toBe('saved')
  })

  it('that is shown as invalid while a save ends is reported as not saved', async () => {
    const draft = openDraft()
    draft.enter({ zip: '921', city: 'Reno' })
    // As React renders the new state and the form's message together.
    draft.onChange(() => {
      if (draft.state().kind === 'saved') queueMicrotask(() => draft.mark(['zip', 'city'], ['zip']))
    })
    await draft.save()
    expect(draft.state()).toEqual({ kind: 'invalid' })
  })

  it('that was left invalid is still reported as not saved after a reload', async () => {
    openDraft().enter({ dateOfBirth: '03|27|' })
    const after = openDraft()
    await after.save()
    expect(after.state()).toEqual({ kind: 'invalid' })
    expect(sends).toEqual([])
  })

  it('is kept after a failed save and a reload, and sent by the next save', async () => {
    respondWith = () => failed
    const before = openDraft()
    before.enter({ street: '12 Elm St' })
    await before.save()
    expect(before.state()).toEqual({ kind: 'unreachable' })
    respondWith = () => saved
    const after = openDraft()
    expect(after.answers().street).toBe('12 Elm St')
    await after.save()
    expect(sends.at(-1)).toMatchObject({ street: '12 Elm St', edits: { street: { id: 'e1' } } })
  })

  it('during a save is sent after it, never concurrently', async () => {
    const first = Promise.withResolvers<Outcome>()
    respondWith = () => first.promise
    const draft = openDraft()
    draft.enter({ city: 'Reno' })
    const saving = draft.save()
    draft.enter({ city: 'Elko' })
    void draft.save()
    expect(sends).toHaveLength(1)
    respondWith = () => saved
    first.resolve(saved)
    await saving
    expect(sends.map(({ city }) => city)).toEqual(['Reno', 'Elko'])
    expect(draft.state().kind).toBe('saved')
  })

  it('that the server refuses does not block the others', async () => {
    respondWith = ({ zip }) => (zip ? { kind: 'refused', names: ['zip'] } : saved)
    const draft = openDraft()
    draft.enter({ zip: '92101', city: 'Reno' })
    await draft.save()
    expect(sends.at(-1)).toMatchObject({ city: 'Reno' })
    expect(draft.state()).toEqual({ kind: 'invalid' })
    await draft.save()
    expect(sends).toHaveLength(2)
  })

  it('has the ids of the earlier edits that it replaces and that were sent, and no others', async () => {
    respondWith = () => failed
    const draft = openDraft()
    draft.enter({ city: 'R' })
    draft.enter({ city: 'Reno' })
    await draft.save()
    draft.enter({ city: 'E' })
    draft.enter({ city: 'Elko' })
    await draft.save()
    expect(sends.map(({ edits }) => edits?.city)).toEqual([
      { id: 'e2', over: [] },
      { id: 'e4', over: ['e2'] },
    ])
  })

  it('in a duplicated tab has its own edit', async () => {
    const draft = openDraft()
    draft.enter({ zip: '921' })
    const copied = openDraft()
    copied.enter({ zip: '92102' })
    draft.enter({ zip: '92101' })
    await copied.save()
    await draft.save()
    expect(new Set(sends.map(({ edits }) => edits?.zip?.id)).size).toBe(2)
  })
})

const serverDraft = (
  data: Intake['data'],
  edits: Intake['edits'],
  step: Intake['step'] = 'goal',
) => ({
  data,
  step,
  edits,
  editedAt: {},
})

describe('the server’s draft', () => {
  it('fills missing entries, and does not override entries that are not sent yet', async () => {
    openDraft().enter({ street: 'newer' })
    const draft = openDraft()
    const server = serverDraft(
      { street: 'older', city: 'Reno' },
      { street: edit('a'), city: edit('b'), step: edit('c') },
      'vaInfo',
    )
    draft.open(server)
    expect(draft.answers()).toMatchObject({ street: 'newer', city: 'Reno' })
    expect(draft.step()).toBe('vaInfo')
    await draft.save()
    expect(sends).toEqual([{ street: 'newer', edits: { street: { id: 'e1', over: ['a'] } } }])
  })

  it('overrides an earlier edit of this tab whose response was lost', async () => {
    respondWith = () => failed
    const before = openDraft()
    before.enter({ street: 'arrived, but unconfirmed', city: 'Reno' })
    await before.save()
    const draft = openDraft()
    draft.open(serverDraft({ street: 'newer' }, { street: { id: 'a', over: ['e1'] } }))
    expect(draft.answers()).toMatchObject({ street: 'newer', city: 'Reno' })
    respondWith = () => saved
    await draft.save()
    expect(sends.at(-1)).toMatchObject({ city: 'Reno', edits: { city: { id: 'e2', over: [] } } })
    expect(sends.at(-1)).not.toHaveProperty('street')
  })

  it('overrides an edit that this tab saved earlier', async () => {
    const before = openDraft()
    before.enter({ street: 'older' })
    await before.save()
    const draft = openDraft()
    draft.open(serverDraft({ street: 'newer' }, { street: edit('a') }))
    expect(draft.answers().street).toBe('newer')
    expect(draft.hasUnsent()).toBe(false)
  })

  it('is compared by times if the server and the local draft are of the previous release', async () => {
    sessionStorage.setItem(
      FORM,
      JSON.stringify({
        owner: OWNER,
        version: 1,
        step: 'goal',
        answers: { street: 'unsent', city: 'sent' },
        editedAt: { street: 9_000, city: 5 },
        sentAt: { street: 8, city: 5 },
      }),
    )
    const draft = openDraft()
    draft.open({
      data: { street: 'older', city: 'newer' },
      step: 'goal',
      editedAt: { street: 8, city: 6 },
    })
    expect(draft.answers()).toMatchObject({ street: 'unsent', city: 'newer' })
    await draft.save()
    expect(sends).toEqual([
      { street: 'unsent', edits: { street: { id: 't:9000', over: ['t:8'] } } },
    ])
  })
})

describe('a known address', () => {
  it('is prefilled only where nothing was entered, and is sent like an answer', async () => {
    const draft = openDraft()
    draft.enter({ city: 'Elko' })
    draft.prefill({ state: 'NV', city: 'Reno', zip: 'not one' })
    expect(draft.answers()).toEqual({ city: 'Elko', state: 'NV' })
    await draft.save()
    // `t:0`: the id of every prefilled answer.
    expect(sends.at(-1)).toMatchObject({ state: 'NV', edits: { state: { id: 't:0' } } })
  })

  it('is not prefilled again after it was cleared', () => {
    const draft = openDraft()
    draft.prefill({ city: 'Reno' })
    draft.enter({ city: null })
    draft.prefill({ city: 'Reno' })
    expect(draft.answers().city).toBeNull()
  })
})

describe('Submit', () => {
  it('clears the local draft only after the server has confirmed it', async () => {
    respondWith = () => failed
    const draft = openDraft()
    draft.enter({ city: 'Reno' })
    expect(await draft.submit()).toBe(false)
    expect(stored()).toMatchObject({ submit: true, answers: { city: 'Reno' } })
    respondWith = () => submitted
    const again = openDraft()
    expect(again.isSubmitPending()).toBe(true)
    await again.save()
    expect(sends.at(-1)).toMatchObject({ city: 'Reno', submit: true })
    expect(again.isSubmitted()).toBe(true)
    expect(sessionStorage).toHaveLength(0)
  })

  it('that failed is cancelled by a further answer', async () => {
    respondWith = () => failed
    const draft = openDraft()
    await draft.submit()
    draft.enter({ city: 'Reno' })
    respondWith = () => saved
    await draft.save()
    expect(sends.at(-1)).toMatchObject({ city: 'Reno', edits: { city: { id: 'e1', over: [] } } })
    expect(sends.at(-1)).not.toHaveProperty('submit')
    expect(draft.isSubmitPending()).toBe(false)
  })

  it('in another tab clears the draft of this tab', async () => {
    respondWith = () => ({ kind: 'closed' })
    const draft = openDraft()
    draft.enter({ city: 'Reno' })
    await draft.save()
    expect(draft.isSubmitted()).toBe(true)
    expect(sessionStorage).toHaveLength(0)
  })
})

it('never shows the draft of another user of the same tab', () => {
  openDraft('maria@example.com').enter({ street: '12 Elm St' })
  expect(openDraft().answers()).toEqual({})
})

it('treats a damaged local draft as none', () => {
  sessionStorage.setItem(FORM, '{"owner":')
  expect(openDraft().answers()).toEqual({})
})
