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

describe('what is entered', () => {
  it('is in the tab at once, under a key for form, personal details and VA info', () => {
    keeper().enter({ zip: '921', gender: 'Male', disabilityRating: '30%' })
    expect(stored().answers).toEqual({ zip: '921' })
    expect(stored('guidon.intake.personal-details').answers).toEqual({ gender: 'Male' })
    expect(stored('guidon.intake.va-info').answers).toEqual({ disabilityRating: '30%' })
    expect(sessionStorage).toHaveLength(3)
  })

  it('goes to the server once, as an edit of its own', async () => {
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

  it('waits in the tab while it is not right, and says so', async () => {
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

  it('and left behind wrong is still said to be not saved after a reload', async () => {
    keeper().enter({ dateOfBirth: '03|27|' })
    const after = keeper()
    await after.save()
    expect(after.state()).toEqual({ kind: 'wrong' })
    expect(sends).toEqual([])
  })

  it('is kept after a failed save, through a reload, and sent by the next one', async () => {
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

  it('while a save is under way follows it, never beside it', async () => {
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

  it('and refused by the server does not hold the other entries up', async () => {
    answerWith = ({ zip }) => (zip ? { kind: 'refused', names: ['zip'] } : saved)
    const one = keeper()
    one.enter({ zip: '92101', city: 'Reno' })
    await one.save()
    expect(sends.at(-1)).toMatchObject({ city: 'Reno' })
    expect(one.state()).toEqual({ kind: 'wrong' })
    await one.save()
    expect(sends).toHaveLength(2)
  })

  it('names the earlier edits that may have arrived, and not those that never left', async () => {
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

  it('in a copied tab is an edit of its own there', async () => {
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

describe('what the server has', () => {
  it('fills what is not here, and gives way to what it does not have yet', async () => {
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

  it('wins over what it had from here before it', async () => {
    answerWith = () => ({ kind: 'failed' })
    const before = keeper()
    before.enter({ street: 'arrived, but nobody said so', city: 'Reno' })
    await before.save()
    const one = keeper()
    one.open(has({ street: 'newer' }, { street: { id: 'a', over: ['e1'] } }))
    expect(one.answers()).toMatchObject({ street: 'newer', city: 'Reno' })
    answerWith = () => saved
    await one.save()
    expect(sends.at(-1)).toEqual({ city: 'Reno', edits: { city: { id: 'e2', over: [] } } })
  })

  it('wins over what was saved from here earlier', async () => {
    const before = keeper()
    before.enter({ street: 'older' })
    await before.save()
    const one = keeper()
    one.open(has({ street: 'newer' }, { street: edit('a') }))
    expect(one.answers().street).toBe('newer')
    expect(one.waits()).toBe(false)
  })

  it('is known by its times where the server or the copy is of the previous release', async () => {
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
  it('is offered only for what nobody has entered, and is sent like an answer', async () => {
    const one = keeper()
    one.enter({ city: 'Elko' })
    one.prefill({ state: 'NV', city: 'Reno', zip: 'not one' })
    expect(one.answers()).toEqual({ city: 'Elko', state: 'NV' })
    await one.save()
    expect(sends.at(-1)).toMatchObject({ state: 'NV', edits: { state: { id: 't:0' } } })
  })

  it('does not come back when it was taken out', () => {
    const one = keeper()
    one.prefill({ city: 'Reno' })
    one.enter({ city: null })
    one.prefill({ city: 'Reno' })
    expect(one.answers().city).toBeNull()
  })
})

describe('Submit', () => {
  it('clears the stored copy only after the server has it', async () => {
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

  it('that did not arrive is taken back by a further answer', async () => {
    answerWith = () => ({ kind: 'failed' })
    const one = keeper()
    await one.submit()
    one.enter({ city: 'Reno' })
    answerWith = () => saved
    await one.save()
    expect(sends.at(-1)).toEqual({ city: 'Reno', edits: { city: { id: 'e1', over: [] } } })
    expect(one.submitWaits()).toBe(false)
  })

  it('is over for a tab whose intake was sent from another one', async () => {
    answerWith = () => ({ kind: 'closed' })
    const one = keeper()
    one.enter({ city: 'Reno' })
    await one.save()
    expect(one.sent()).toBe(true)
    expect(sessionStorage).toHaveLength(0)
  })
})

it('never shows one person what another has entered in the same tab', () => {
  keeper('maria@example.com').enter({ street: '12 Elm St' })
  expect(keeper().answers()).toEqual({})
})

it('takes a damaged copy for none', () => {
  sessionStorage.setItem(FORM, '{"owner":')
  expect(keeper().answers()).toEqual({})
})
