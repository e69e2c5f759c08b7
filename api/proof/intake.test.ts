import { CLAIM_TYPES, getIntake, INTAKE_STEPS, saveIntake } from '@guidon/contract/intake'
import type { EntryName, IntakeAnswers, IntakeSave } from '@guidon/contract/intake'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { intakeKeeper } from '../../web/src/features/intake/keeper.ts'
import type { IntakeKeeper, Outcome } from '../../web/src/features/intake/keeper.ts'
import { boot } from '../test/boot.ts'
import { figures, size } from './size.ts'

const testApp = await boot()
const { person: client, userId } = await testApp.signedUp()

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

/** What was sent of one entry, in the order in which its tab made it. */
interface Sent {
  tab: number
  turn: number
  value: unknown
}

/** Two tabs of one veteran, with the screen's own logic, on the real server; only the network is played. */
function desk() {
  const storages = [new Map<string, string>(), new Map<string, string>()]
  const late: IntakeSave[] = []
  let fateOfNext: Fate = 'arrives'
  let ids = 0
  let turns = 0
  /** By name and id of the edit. */
  const sent = new Map<string, Sent>()
  /** The latest of each tab that arrived, by name. */
  const arrived: Record<string, Record<number, number>> = {}
  /** What has to be stored: of each tab never an older one than arrived already, else the last to arrive. */
  const expected: Record<string, unknown> = {}
  const enteredLast: Record<string, Record<number, unknown>> = {}

  const entriesIn = ({ edits = {}, ...save }: IntakeSave) =>
    Object.entries(edits).map(([name, edit]) => {
      return { name, key: `${name} ${edit?.id}`, value: save[name as EntryName] }
    })

  const deliver = async (body: IntakeSave): Promise<Outcome> => {
    const { status, body: answer } = await client.call(saveIntake, { body })
    if (status === 409) return { kind: 'closed' }
    if (status !== 200) throw new Error(`the save was answered with ${status}`)
    for (const { name, key } of entriesIn(body)) {
      const { tab: from, turn, value } = sent.get(key)!
      const latest = (arrived[name] ??= {})
      if (turn <= (latest[from] ?? 0)) continue
      latest[from] = turn
      expected[name] = value
    }
    return { kind: 'saved', savedAt: answer.savedAt, submittedAt: answer.submittedAt }
  }
  const sendFrom =
    (number: number) =>
    async (body: IntakeSave): Promise<Outcome> => {
      for (const { key, value } of entriesIn(body)) {
        if (!sent.has(key)) sent.set(key, { tab: number, turn: (turns += 1), value })
      }
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
    const newId = () => `e${(ids += 1)}`
    return intakeKeeper({ storage, owner: 'one', send: sendFrom(number), newId })
  }
  const keepers = [opened(0), opened(1)]

  return {
    keepers,
    storages,
    expected: () =>
      Object.fromEntries(Object.entries(expected).filter(([name]) => name !== 'step')),
    enteredLast,
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
          if ((keeper.answers()[name as keyof IntakeAnswers] ?? null) === value) continue
          ;(enteredLast[name] ??= {})[one.tab] = value
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
      if (one.reachable) keepers[one.tab]!.open((await client.call(getIntake, {})).body)
    },
  }
}

const stored = async () => {
  const { body } = await client.call(getIntake, {})
  return { ...body, data: Object.fromEntries(Object.entries(body.data)) }
}

it('any edits, steps, reloads and failed saves end with what was entered last', async () => {
  let saves = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 10, maxLength: 40 }),
      fate,
      async (acts, fateOfSubmit) => {
        await testApp.sql.query('delete from intakes where user_id = $1', [userId])
        const one = desk()
        for (const each of acts) await one.play(each)
        saves += acts.filter(({ kind }) => kind === 'go').length

        one.with('arrives')
        await one.arriveLate()
        for (const keeper of one.keepers) await keeper.save()
        const before = await stored()
        expect(before.data).toEqual(one.expected())
        // Without the model: every answer is there, and is the last one that a tab entered.
        for (const [name, byTab] of Object.entries(one.enteredLast)) {
          expect(Object.values(byTab)).toContain(before.data[name])
        }

        // Submit, lost or late or not, and once more from the dashboard.
        one.with(fateOfSubmit)
        await one.keepers[0]!.submit()
        one.with('arrives')
        await one.keepers[0]!.submit()
        await one.arriveLate()
        expect(one.keepers[0]!.sent()).toBe(true)
        expect([...one.storages[0]!.keys()]).toEqual([])
        const after = await stored()
        expect(after.data).toEqual(before.data)
        expect(after.submittedAt).not.toBeNull()
      },
    ),
    { numRuns: size(40, 2_000), endOnFailure: true },
  )
  figures('Intake', { runs: size(40, 2_000), 'saves by steps': saves })
})
