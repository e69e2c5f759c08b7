import {
  ANSWER_NAMES,
  INTAKE_STEPS,
  type AnswerName,
  type EntryName,
  type Intake,
  type IntakeSave,
  type IntakeStep,
} from '@guidon/contract/intake'
import { following, isKnownTo, PREFILLED, type Edit } from '@guidon/contract/intake-merge'
import { prefilled, serverEdit } from './edits.ts'
import { isFit, isSame } from './entries.ts'
import { clearCopy, readCopy, writeCopy, type TabCopy, type TabStorage } from './tab-copy.ts'

export type Outcome =
  | { kind: 'saved'; savedAt: string; submittedAt: string | null }
  /** The server does not take these entries as they are; it would take the others. */
  | { kind: 'refused'; names: readonly string[] }
  /** It was sent before, from here or from elsewhere, and stays as it was sent. */
  | { kind: 'closed' }
  | { kind: 'failed' }

export type SaveState =
  | { kind: 'untouched' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: string }
  /** The server could not be reached, or did not answer. */
  | { kind: 'unsent' }
  /** An answer that is shown as wrong waits until it is right; all others are saved. */
  | { kind: 'wrong' }

export interface KeeperParts {
  storage: TabStorage
  /** Whose intake it is: a copy of somebody else's is never read. */
  owner: string
  send: (save: IntakeSave) => Promise<Outcome>
  /** Never the same twice, on any device. */
  newId: () => string
}

const ENTRIES: readonly EntryName[] = [...ANSWER_NAMES, 'step']

export type IntakeKeeper = ReturnType<typeof intakeKeeper>

/** Keeps every entry in the tab at once and brings it to the server, one save at a time, until it is there. */
export function intakeKeeper({ storage, owner, send, newId }: KeeperParts) {
  const copy: TabCopy = readCopy(storage, owner) ?? {
    answers: {},
    step: INTAKE_STEPS[0],
    edits: {},
    sent: {},
    submit: false,
  }
  /** Refused entries wait until they are entered anew. */
  const refused: TabCopy['sent'] = {}
  /** Answers that are shown as wrong, or were left behind as such; not one that is being typed. */
  const wrong = new Set(ANSWER_NAMES.filter((name) => !isFit(name, copy.answers[name] ?? null)))
  /** Edits made here that were never sent. */
  const fresh = new Set<string>()
  let state: SaveState = { kind: 'untouched' }
  let savedAt: string | undefined
  let sent = false
  let submittedAt: string | undefined
  let resting = false
  let underWay: Promise<void> | undefined
  let again = false
  const listeners = new Set<() => void>()

  const valueOf = (name: EntryName): unknown => (name === 'step' ? copy.step : copy.answers[name])
  const idOf = (name: EntryName) => copy.edits[name]?.id
  const isOnlyHere = (name: EntryName) => idOf(name) !== undefined && idOf(name) !== copy.sent[name]
  const onlyHere = () => ENTRIES.filter(isOnlyHere)
  const sendable = () =>
    onlyHere().filter(
      (name) => idOf(name) !== refused[name] && (name === 'step' || isFit(name, valueOf(name))),
    )

  const isHeldBack = (name: EntryName) => {
    if (idOf(name) === refused[name]) return true
    return name !== 'step' && wrong.has(name) && !isFit(name, valueOf(name))
  }

  function tell(next: SaveState): void {
    state = next
    for (const listener of listeners) listener()
  }

  function write(): void {
    if (!sent) writeCopy(storage, owner, copy)
  }

  function take(name: EntryName, value: unknown, edit: Edit): void {
    if (name === 'step') copy.step = value as IntakeStep
    else copy.answers[name] = value
    copy.edits[name] = edit
  }

  /** Names what came before it, save what was never sent from here and so is known to nobody. */
  function nextEdit(name: EntryName): Edit {
    const before = copy.edits[name]
    const edit = { id: newId(), over: [] }
    fresh.add(edit.id)
    if (!before) return edit
    return fresh.delete(before.id) ? { ...before, id: edit.id } : following(before, edit)
  }

  async function sendAll(): Promise<void> {
    do {
      again = false
      const names = sendable()
      if (names.length === 0 && !copy.submit) return settle()
      tell({ kind: 'saving' })
      const ids = Object.fromEntries(names.map((name) => [name, idOf(name)!]))
      for (const id of Object.values(ids)) fresh.delete(id)
      const outcome = await send({
        ...Object.fromEntries(names.map((name) => [name, valueOf(name)])),
        edits: Object.fromEntries(names.map((name) => [name, copy.edits[name]!])),
        ...(copy.submit && { submit: true }),
      })
      // Another keeper has the tab's copy by now.
      if (resting) return
      if (outcome.kind === 'failed') return tell({ kind: 'unsent' })
      if (outcome.kind === 'refused') again = leaveOut(outcome.names, ids)
      else arrived(outcome, ids)
    } while (again && !sent)
    settle()
  }

  /** False where nothing can be left out: the same again would be refused again. */
  function leaveOut(names: readonly string[], ids: TabCopy['sent']): boolean {
    const named = ENTRIES.filter((name) => name in ids && names.includes(name))
    for (const name of named) refused[name] = ids[name]!
    // What was sent cannot change any more: nothing is sent for good with an answer missing.
    if (named.length > 0) copy.submit = false
    return named.length > 0
  }

  function arrived(outcome: Outcome & { kind: 'saved' | 'closed' }, ids: TabCopy['sent']): void {
    if (outcome.kind === 'saved') {
      Object.assign(copy.sent, ids)
      savedAt = outcome.savedAt
      submittedAt = outcome.submittedAt ?? undefined
    }
    if (outcome.kind === 'closed' || outcome.submittedAt !== null) {
      sent = true
      clearCopy(storage)
    }
    write()
  }

  function settle(): void {
    if (!sent && sendable().length > 0) tell({ kind: 'saving' })
    else if (!sent && onlyHere().some(isHeldBack)) tell({ kind: 'wrong' })
    else tell(savedAt === undefined ? { kind: 'untouched' } : { kind: 'saved', at: savedAt })
  }

  function save(): Promise<void> {
    again = true
    underWay ??= sendAll().finally(() => (underWay = undefined))
    return underWay
  }

  return {
    /** Adds what the server has. An entry that it does not have yet stays, and is sent after it. */
    open(intake: Pick<Intake, 'data' | 'step' | 'edits' | 'editedAt'>): void {
      for (const name of ENTRIES) {
        const given = serverEdit(intake, name)
        if (!given) continue
        // The server remembers the earlier edits itself.
        const there = { id: given.id, over: [] }
        const here = copy.edits[name]
        if (here && here.id !== PREFILLED && isOnlyHere(name) && !isKnownTo(here, given)) {
          copy.edits[name] = following(there, here)
          fresh.delete(here.id)
        } else {
          const value = name === 'step' ? intake.step : (intake.data[name] ?? null)
          take(name, value, there)
        }
        copy.sent[name] = there.id
      }
      write()
    },

    /** Offers what is known already for answers that nobody has entered yet. */
    prefill(known: Partial<Record<AnswerName, string>>): void {
      for (const [name, value] of Object.entries(known) as [AnswerName, string][]) {
        if (!copy.edits[name] && isFit(name, value)) take(name, value, prefilled())
      }
      write()
    },

    enter(answers: Partial<Record<AnswerName, unknown>>): void {
      for (const [name, value] of Object.entries(answers) as [AnswerName, unknown][]) {
        if (isSame(name, copy.answers[name], value)) continue
        take(name, value, nextEdit(name))
        // Whoever goes on answering has not finished after all.
        copy.submit = false
      }
      write()
      // What cannot be reached is not told anew with each key.
      if (state.kind !== 'unsent' && sendable().length > 0) tell({ kind: 'saving' })
    },

    /** Which of these answers the form shows as wrong. */
    mark(names: readonly AnswerName[], shownWrong: readonly string[]): void {
      for (const name of names) {
        if (shownWrong.includes(name)) wrong.add(name)
        else wrong.delete(name)
      }
      if (!underWay && state.kind !== 'unsent') settle()
    },

    go(step: IntakeStep): void {
      if (copy.step !== step) take('step', step, nextEdit('step'))
      write()
    },

    /** Sends what the server does not have yet; never throws. */
    save,

    /** True once the server has confirmed it; until then the copy stays and is sent again. */
    async submit(): Promise<boolean> {
      copy.submit = true
      write()
      await underWay
      await save()
      return sent
    },

    answers: (): Readonly<TabCopy['answers']> => copy.answers,
    step: (): IntakeStep => copy.step,
    /** Something is here that the server would take. */
    waits: (): boolean => !sent && (copy.submit || sendable().length > 0),
    submitWaits: (): boolean => !sent && copy.submit,
    /** The server has it for good. */
    sent: (): boolean => sent,
    /** Undefined also where it was sent from elsewhere. */
    submittedAt: (): string | undefined => submittedAt,
    state: (): SaveState => state,
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    /** Leaves the tab's copy to the next keeper, and the reverse. */
    rest: () => void (resting = true),
    wake: () => void (resting = false),
  }
}
