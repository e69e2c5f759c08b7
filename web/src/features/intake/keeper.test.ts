import type { Intake, IntakeSave } from '@guidon/contract/intake'
import { beforeEach, describe, expect, it } from 'vitest'
import { intakeKeeper, type IntakeKeeper, type Outcome } from './keeper.ts'

const OWNER = 'james@example.com'
const saved: Outcome = { kind: 'saved', savedAt: '2026-11-15T15:42:00.000Z', submittedAt: null }
const submitted: Outcome = { ...saved, submittedAt: '2026-11-15T15:42:00.000Z' }
const FORM = 'guidon.intake.form'

let sends: IntakeSave[]
let answerWith: (save: IntakeSave) => Outcome | Promise<Outcome>
let made: number

function keeper(owner = OWNER): IntakeKeeper {
  return intakeKeeper({
    storage: sessionStorage,
    owner,
    newId: () => `e${(made += 1)}`,
    send: async (save) => {
      sends.push(structuredClone(save))
      return answerWith(save)
    },
  })
}

const edit = (id: string) => ({ id, over: [] })
const stored = (key = FORM) => JSON.parse(sessionStorage.getItem(key) ?? '{}')

beforeEach(() => {
  sends = []
  made = 0
  answerWith = () => saved
})

describe('an entered answer', () => {
  it('is stored in the tab at once, under a key for form, personal details and VA info', () => {
    keeper().enter({ zip: '921', gender: 'Male', disabilityRating: '30%' })
    expect(stored().answers).toEqual({ zip: '921' })
    expect(stored('guidon.intake.personal-details').answers).toEqual({ gender: 'Male' })
    expect(stored('guidon.intake.va-info').answers).toEqual({ disabilityRating: '30%' })
    expect(sessionStorage).toHaveLength(3)
  })

  it('is sent to the server once, as its own edit', async () => {
    const one = keeper()
    one.enter({ street: '12 Elm St' })
    await one.save()
    one.enter({ street: '12 Elm St', city: 'Reno' })
    await one.save()
    await one.save()
    expect(sends).toEqual([
      { street: '12 Elm St', edits: { street: { id: 'e1', over: [] } } },
      { city: 'Reno', edits: { city: { id: 'e2', over: [] } } },
    ])
    expect(one.state()).toEqual({ kind: 'saved', at: '2026-11-15T15:42:00.000Z' })
  })

  it('stays in the tab while it is invalid, and the state says so', async () => {
    const one = keeper()
    one.enter({ zip: '921', city: 'Reno' })
    await one.save()
    expect(sends).toEqual([{ city: 'Reno', edits: { city: { id: 'e2', over: [] } } }])
    expect(one.state().kind).toBe('saved')
    one.mark(['zip', 'city'], ['zip'])
    expect(one.state()).toEqual({ kind: 'wrong' })
    expect(one.answers().zip).toBe('921')
    one.enter({ zip: '92101' })
    expect(one.state()).toEqual({ kind: 'saving' })
    await one.save()
    expect(one.state().kind).toBe('saved')
  })

  it('that was left invalid is still reported as not saved after a reload', async () => {
    keeper().enter({ dateOfBirth: '03|27|' })
    const after = keeper()
    await after.save()
    expect(after.state()).toEqual({ kind: 'wrong' })
    expect(sends).toEqual([])
  })

  it('is kept after a failed save and a reload, and sent by the next save', async () => {
    answerWith = () => ({ kind: 'failed' })
    const before = keeper()
    before.enter({ street: '12 Elm St' })
    await before.save()
    expect(before.state()).toEqual({ kind: 'unsent' })
    answerWith = () => saved
    const after = keeper()
    expect(after.answers().street).toBe('12 Elm St')
    await after.save()
    expect(sends.at(-1)).toMatchObject({ street: '12 Elm St', edits: { street: { id: 'e1' } } })
  })

  it('during a save is sent after it, never concurrently', async () => {
    const first = Promise.withResolvers<Outcome>()
    answerWith = () => first.promise
    const one = keeper()
    one.enter({ city: 'Reno' })
    const saving = one.save()
    one.enter({ city: 'Elko' })
    void one.save()
    expect(sends).toHaveLength(1)
    answerWith = () => saved
    first.resolve(saved)
    await saving
    expect(sends.map(({ city }) => city)).toEqual(['Reno', 'Elko'])
    expect(one.state().kind).toBe('saved')
  })

  it('that the server refuses does not block the others', async () => {
    answerWith = ({ zip }) => (zip ? { kind: 'refused', names: ['zip'] } : saved)
    const one = keeper()
    one.enter({ zip: '92101', city: 'Reno' })
    await one.save()
    expect(sends.at(-1)).toMatchObject({ city: 'Reno' })
    expect(one.state()).toEqual({ kind: 'wrong' })
    await one.save()
    expect(sends).toHaveLength(2)
  })

  it('names the earlier edits that were sent, and no others', async () => {
    answerWith = () => ({ kind: 'failed' })
    const one = keeper()
    one.enter({ city: 'R' })
    one.enter({ city: 'Reno' })
    await one.save()
    one.enter({ city: 'E' })
    one.enter({ city: 'Elko' })
    await one.save()
    expect(sends.map(({ edits }) => edits?.city)).toEqual([
      { id: 'e2', over: [] },
      { id: 'e4', over: ['e2'] },
    ])
  })

  it('in a duplicated tab has its own edit', async () => {
    const one = keeper()
    one.enter({ zip: '921' })
    const copied = keeper()
    copied.enter({ zip: '92102' })
    one.enter({ zip: '92101' })
    await copied.save()
    await one.save()
    expect(new Set(sends.map(({ edits }) => edits?.zip?.id)).size).toBe(2)
  })
})

const has = (data: Intake['data'], edits: Intake['edits'], step: Intake['step'] = 'goal') => ({
  data,
  step,
  edits,
  editedAt: {},
})

describe('the server’s draft', () => {
  it('fills missing entries, and does not override entries that are not sent yet', async () => {
    keeper().enter({ street: 'newer' })
    const one = keeper()
    const server = has(
      { street: 'older', city: 'Reno' },
      { street: edit('a'), city: edit('b'), step: edit('c') },
      'vaInfo',
    )
    one.open(server)
    expect(one.answers()).toMatchObject({ street: 'newer', city: 'Reno' })
    expect(one.step()).toBe('vaInfo')
    await one.save()
    expect(sends).toEqual([{ street: 'newer', edits: { street: { id: 'e1', over: ['a'] } } }])
  })

  it('overrides an earlier edit of this tab whose response was lost', async () => {
    answerWith = () => ({ kind: 'failed' })
    const before = keeper()
    before.enter({ street: 'arrived, but unconfirmed', city: 'Reno' })
    await before.save()
    const one = keeper()
    one.open(has({ street: 'newer' }, { street: { id: 'a', over: ['e1'] } }))
    expect(one.answers()).toMatchObject({ street: 'newer', city: 'Reno' })
    answerWith = () => saved
    await one.save()
    expect(sends.at(-1)).toEqual({ city: 'Reno', edits: { city: { id: 'e2', over: [] } } })
  })

  it('overrides an edit that this tab saved earlier', async () => {
    const before = keeper()
    before.enter({ street: 'older' })
    await before.save()
    const one = keeper()
    one.open(has({ street: 'newer' }, { street: edit('a') }))
    expect(one.answers().street).toBe('newer')
    expect(one.waits()).toBe(false)
  })

  it('is compared by times if the server or the local draft is of the previous release', async () => {
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
    const one = keeper()
    one.open({
      data: { street: 'older', city: 'newer' },
      step: 'goal',
      editedAt: { street: 8, city: 6 },
    })
    expect(one.answers()).toMatchObject({ street: 'unsent', city: 'newer' })
    await one.save()
    expect(sends).toEqual([
      { street: 'unsent', edits: { street: { id: 't:9000', over: ['t:8'] } } },
    ])
  })
})

describe('a known address', () => {
  it('is prefilled only where nothing was entered, and is sent like an answer', async () => {
    const one = keeper()
    one.enter({ city: 'Elko' })
    one.prefill({ state: 'NV', city: 'Reno', zip: 'not one' })
    expect(one.answers()).toEqual({ city: 'Elko', state: 'NV' })
    await one.save()
    expect(sends.at(-1)).toMatchObject({ state: 'NV', edits: { state: { id: 't:0' } } })
  })

  it('is not prefilled again after it was cleared', () => {
    const one = keeper()
    one.prefill({ city: 'Reno' })
    one.enter({ city: null })
    one.prefill({ city: 'Reno' })
    expect(one.answers().city).toBeNull()
  })
})

describe('Submit', () => {
  it('clears the local draft only after the server has confirmed it', async () => {
    answerWith = () => ({ kind: 'failed' })
    const one = keeper()
    one.enter({ city: 'Reno' })
    expect(await one.submit()).toBe(false)
    expect(stored()).toMatchObject({ submit: true, answers: { city: 'Reno' } })
    answerWith = () => submitted
    const again = keeper()
    expect(again.submitWaits()).toBe(true)
    await again.save()
    expect(sends.at(-1)).toMatchObject({ city: 'Reno', submit: true })
    expect(again.sent()).toBe(true)
    expect(sessionStorage).toHaveLength(0)
  })

  it('that failed is cancelled by a further answer', async () => {
    answerWith = () => ({ kind: 'failed' })
    const one = keeper()
    await one.submit()
    one.enter({ city: 'Reno' })
    answerWith = () => saved
    await one.save()
    expect(sends.at(-1)).toEqual({ city: 'Reno', edits: { city: { id: 'e1', over: [] } } })
    expect(one.submitWaits()).toBe(false)
  })

  it('in another tab clears the draft of this one', async () => {
    answerWith = () => ({ kind: 'closed' })
    const one = keeper()
    one.enter({ city: 'Reno' })
    await one.save()
    expect(one.sent()).toBe(true)
    expect(sessionStorage).toHaveLength(0)
  })
})

it('never shows the draft of another user of the same tab', () => {
  keeper('maria@example.com').enter({ street: '12 Elm St' })
  expect(keeper().answers()).toEqual({})
})

it('treats a damaged local draft as none', () => {
  sessionStorage.setItem(FORM, '{"owner":')
  expect(keeper().answers()).toEqual({})
})
