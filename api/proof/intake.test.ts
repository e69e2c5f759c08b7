import { CLAIM_TYPES, getIntake, INTAKE_STEPS, saveIntake } from '@guidon/contract/intake'
import type { IntakeAnswers, IntakeSave } from '@guidon/contract/intake'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { intakeKeeper } from '../../web/src/features/intake/keeper.ts'
import type { IntakeKeeper, Outcome } from '../../web/src/features/intake/keeper.ts'
import { boot } from '../test/boot.ts'
import { figures, size } from './size.ts'

const house = await boot()
const { person, userId } = await house.signedUp()

const FATES = ['arrives', 'never arrives', 'answer is lost', 'arrives late'] as const
type Fate = (typeof FATES)[number]

const entry = fc.oneof(
  fc.record({ city: fc.constantFrom('Reno', 'Elko', 'Ely', null) }),
  fc.record({ claimType: fc.constantFrom(...CLAIM_TYPES, null) }),
  fc.record({ dependents: fc.constantFrom(0, 5, 10, null) }),
  fc.record({ retired: fc.constantFrom(true, false, null) }),
)
const tab = fc.nat(1)
const fate = fc.constantFrom(...FATES)
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('enter' as const), tab, entry }) },
  // Back, Next and the menu all save.
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('go' as const),
      tab,
      step: fc.constantFrom(...INTAKE_STEPS),
      fate,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reload' as const), tab, reachable: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('the late arrive' as const) }) },
)
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

/** Two tabs of one veteran, with the screen's own logic, on the real server; only the network is played. */
function desk() {
  const storages = [new Map<string, string>(), new Map<string, string>()]
  const late: IntakeSave[] = []
  let fateOfNext: Fate = 'arrives'
  let time = 1_000

  const deliver = async (body: IntakeSave): Promise<Outcome> => {
    const { status, body: answer } = await person.call(saveIntake, { body })
    if (status === 409) return { kind: 'closed' }
    if (status !== 200) throw new Error(`the save was answered with ${status}`)
    return { kind: 'saved', savedAt: answer.savedAt, submittedAt: answer.submittedAt }
  }
  const send = async (body: IntakeSave): Promise<Outcome> => {
    if (fateOfNext === 'never arrives') return { kind: 'failed' }
    if (fateOfNext === 'arrives late') {
      late.push(structuredClone(body))
      return { kind: 'failed' }
    }
    const outcome = await deliver(body)
    return fateOfNext === 'arrives' ? outcome : { kind: 'failed' }
  }
  const opened = (number: number): IntakeKeeper => {
    const map = storages[number]!
    const storage = {
      getItem: (key: string) => map.get(key) ?? null,
      setItem: (key: string, value: string) => void map.set(key, value),
      removeItem: (key: string) => void map.delete(key),
    }
    return intakeKeeper({ storage, owner: 'one', send, clock: () => (time += 1) })
  }
  const keepers = [opened(0), opened(1)]
  const last: Record<string, unknown> = {}

  return {
    keepers,
    storages,
    last,
    arriveLate: async () => {
      // In the order that is worst for whoever trusts the order.
      for (const body of late.splice(0).toReversed()) await deliver(body)
    },
    with: (given: Fate) => void (fateOfNext = given),
    async play(one: Act): Promise<void> {
      if (one.kind === 'the late arrive') return this.arriveLate()
      const keeper = keepers[one.tab]!
      if (one.kind === 'enter') {
        for (const [name, value] of Object.entries(one.entry)) {
          // What stands in the field already cannot be entered again.
          if ((keeper.answers()[name as keyof IntakeAnswers] ?? null) !== value) last[name] = value
        }
        return keeper.enter(one.entry)
      }
      if (one.kind === 'go') {
        fateOfNext = one.fate
        keeper.go(one.step)
        return keeper.save()
      }
      keeper.rest()
      keepers[one.tab] = opened(one.tab)
      if (one.reachable) keepers[one.tab]!.open((await person.call(getIntake, {})).body)
    },
  }
}

const stored = async () => {
  const { body } = await person.call(getIntake, {})
  return { ...body, data: Object.fromEntries(Object.entries(body.data)) }
}

it('any edits, steps, reloads and failed saves end with exactly what was entered last', async () => {
  let saves = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 10, maxLength: 40 }),
      fate,
      async (acts, fateOfSubmit) => {
        await house.sql.query('delete from intakes where user_id = $1', [userId])
        const one = desk()
        for (const each of acts) await one.play(each)
        saves += acts.filter(({ kind }) => kind === 'go').length

        one.with('arrives')
        await one.arriveLate()
        for (const keeper of one.keepers) await keeper.save()
        const before = await stored()
        expect(before.data).toEqual(one.last)

        // Submit, lost or late or not, and once more from the dashboard.
        one.with(fateOfSubmit)
        await one.keepers[0]!.submit()
        one.with('arrives')
        await one.keepers[0]!.submit()
        await one.arriveLate()
        expect(one.keepers[0]!.sent()).toBe(true)
        expect([...one.storages[0]!.keys()]).toEqual([])
        const after = await stored()
        expect(after.data).toEqual(one.last)
        expect(after.submittedAt).not.toBeNull()
      },
    ),
    { numRuns: size(40, 2_000), endOnFailure: true },
  )
  figures('Intake', { runs: size(40, 2_000), 'saves by steps': saves })
})
