import { CLAIM_TYPES, getIntake, INTAKE_STEPS, saveIntake } from '@guidon/contract/intake'
import type { EntryName, IntakeAnswers, IntakeSave } from '@guidon/contract/intake'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createDraftSync } from '../../../web/src/features/intake/draft-sync.ts'
import type { DraftSync } from '../../../web/src/features/intake/draft-sync.ts'
import type { Outcome } from '../../../web/src/features/intake/save-outcome.ts'
import { boot } from '../../support/boot.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

const testApp = await boot()
const { client, userId } = await testApp.signedUp()

const DELIVERIES = ['arrives', 'never arrives', 'response is lost', 'arrives late'] as const
type Delivery = (typeof DELIVERIES)[number]
const failed: Outcome = { kind: 'failed', reason: 'no_network' }

const entry = fc.oneof(
  fc.record({ city: fc.constantFrom('Reno', 'Elko', 'Ely', null) }),
  fc.record({ claimType: fc.constantFrom(...CLAIM_TYPES, null) }),
  fc.record({ dependents: fc.constantFrom(0, 5, 10, null) }),
  fc.record({ retired: fc.constantFrom(true, false, null) }),
)
const tab = fc.nat(1)
const delivery = fc.constantFrom(...DELIVERIES)
const anyAction = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('enter' as const), tab, entry }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('go' as const),
      tab,
      step: fc.constantFrom(...INTAKE_STEPS),
      delivery,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('edit during a save and leave the tab' as const),
      tab,
      entry,
      delivery,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reload' as const), tab, reachable: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('late saves arrive' as const) }) },
)
type Action = typeof anyAction extends fc.Arbitrary<infer A> ? A : never

/** An edit that was sent; `sequence` orders the edits of a tab. */
interface Sent {
  tab: number
  sequence: number
  value: unknown
}

/** Two tabs of one veteran with the screen's own logic and the real server; only the network is simulated. */
function openTabs() {
  const storages = [new Map<string, string>(), new Map<string, string>()]
  const late: IntakeSave[] = []
  const pending: Promise<unknown>[] = []
  let nextDelivery: Delivery = 'arrives'
  let ids = 0
  let lastSequence = 0
  const sent = new Map<string, Sent>()
  /** The highest sequence that arrived, by name and tab. */
  const arrived: Record<string, Record<number, number>> = {}
  /** The last value that arrived, without edits that arrived after a later edit of the same tab. */
  const expected: Record<string, unknown> = {}
  const enteredLast: Record<string, Record<number, unknown>> = {}

  const entriesIn = ({ edits = {}, ...save }: IntakeSave) =>
    Object.entries(edits).map(([name, edit]) => {
      return { name, key: `${name} ${edit?.id}`, value: save[name as EntryName] }
    })

  const deliver = async (body: IntakeSave): Promise<Outcome> => {
    const { status, body: response } = await client.call(saveIntake, { body })
    if (status === 409) return { kind: 'closed' }
    if (status !== 200) throw new Error(`the save returned ${status}`)
    for (const { name, key } of entriesIn(body)) {
      const { tab: from, sequence, value } = sent.get(key)!
      const latest = (arrived[name] ??= {})
      if (sequence <= (latest[from] ?? 0)) continue
      latest[from] = sequence
      expected[name] = value
    }
    return { kind: 'saved', savedAt: response.savedAt, submittedAt: response.submittedAt }
  }
  const sendFrom =
    (number: number) =>
    async (body: IntakeSave): Promise<Outcome> => {
      for (const { key, value } of entriesIn(body)) {
        if (!sent.has(key)) sent.set(key, { tab: number, sequence: (lastSequence += 1), value })
      }
      const chosen = nextDelivery
      if (chosen === 'never arrives') return failed
      if (chosen === 'arrives late') {
        late.push(structuredClone(body))
        return failed
      }
      const delivering = deliver(body)
      pending.push(delivering)
      const outcome = await delivering
      return chosen === 'arrives' ? outcome : failed
    }
  const openTab = (number: number): DraftSync => {
    const map = storages[number]!
    const storage = {
      getItem: (key: string) => map.get(key) ?? null,
      setItem: (key: string, value: string) => void map.set(key, value),
      removeItem: (key: string) => void map.delete(key),
    }
    const newId = () => `e${(ids += 1)}`
    return createDraftSync({ storage, owner: 'one', send: sendFrom(number), newId })
  }
  const draftSyncs = [openTab(0), openTab(1)]

  function enter(number: number, answers: object): void {
    const draftSync = draftSyncs[number]!
    for (const [name, value] of Object.entries(answers)) {
      // Entering the current value again is not an edit.
      if ((draftSync.answers()[name as keyof IntakeAnswers] ?? null) === value) continue
      ;(enteredLast[name] ??= {})[number] = value
    }
    draftSync.enter(answers)
  }

  return {
    draftSyncs,
    storages,
    expected: () =>
      Object.fromEntries(Object.entries(expected).filter(([name]) => name !== 'step')),
    enteredLast,
    deliverLate: async () => {
      for (const body of late.splice(0).toReversed()) await deliver(body)
    },
    setDelivery: (next: Delivery) => void (nextDelivery = next),
    async run(action: Action): Promise<void> {
      if (action.kind === 'late saves arrive') return this.deliverLate()
      const draftSync = draftSyncs[action.tab]!
      if (action.kind === 'enter') return enter(action.tab, action.entry)
      if (action.kind === 'edit during a save and leave the tab') {
        nextDelivery = action.delivery
        const saving = draftSync.save()
        enter(action.tab, action.entry)
        draftSync.flush()
        await saving
        return void (await Promise.all(pending.splice(0)))
      }
      if (action.kind === 'go') {
        nextDelivery = action.delivery
        draftSync.go(action.step)
        return draftSync.save()
      }
      // The remaining kind is a reload.
      draftSync.pause()
      draftSyncs[action.tab] = openTab(action.tab)
      if (action.reachable) draftSyncs[action.tab]!.open((await client.call(getIntake, {})).body)
    },
  }
}

const stored = async () => {
  const { body } = await client.call(getIntake, {})
  return { ...body, data: Object.fromEntries(Object.entries(body.data)) }
}

it('the last entered answers are stored after any sequence of edits, steps, reloads and failed saves', async () => {
  let saves = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyAction, { minLength: 10, maxLength: 40 }),
      delivery,
      async (actions, submitDelivery) => {
        await testApp.sql.query('delete from intakes where user_id = $1', [userId])
        const tabs = openTabs()
        for (const each of actions) await tabs.run(each)
        saves += actions.filter(({ kind }) => kind === 'go').length

        tabs.setDelivery('arrives')
        await tabs.deliverLate()
        for (const draftSync of tabs.draftSyncs) await draftSync.save()
        const before = await stored()
        expect(before.data).toEqual(tabs.expected())
        // Without relying on `expected`: each stored answer is the last that one of the tabs entered.
        for (const [name, byTab] of Object.entries(tabs.enteredLast)) {
          expect(Object.values(byTab)).toContain(before.data[name])
        }

        // Submit once with any delivery, and then again, as the dashboard does if the wizard got no response.
        tabs.setDelivery(submitDelivery)
        await tabs.draftSyncs[0]!.submit()
        tabs.setDelivery('arrives')
        await tabs.draftSyncs[0]!.submit()
        await tabs.deliverLate()
        expect(tabs.draftSyncs[0]!.isSubmitted()).toBe(true)
        expect([...tabs.storages[0]!.keys()]).toEqual([])
        const after = await stored()
        expect(after.data).toEqual(before.data)
        expect(after.submittedAt).not.toBeNull()
      },
    ),
    { numRuns: smallOrFull(20, 2_000), endOnFailure: true },
  )
  figures('Intake', { runs: smallOrFull(20, 2_000), 'saves by steps': saves })
  headline.sum({ sequences: smallOrFull(20, 2_000), saves })
})
