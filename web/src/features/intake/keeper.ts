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
  /** The server refuses these entries; it would accept the others. */
  | { kind: 'refused'; names: readonly string[] }
  /** The intake was submitted before and cannot change. */
  | { kind: 'closed' }
  | { kind: 'failed' }

export type SaveState =
  | { kind: 'untouched' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: string }
  /** The server is unreachable. */
  | { kind: 'unsent' }
  /** An answer that is shown as invalid is not saved; all others are. */
  | { kind: 'wrong' }

export interface KeeperParts {
  storage: TabStorage
  /** The user's email: the draft of another user is never read. */
  owner: string
  send: (save: IntakeSave) => Promise<Outcome>
  /** Returns an id that is unique over all devices. */
  newId: () => string
}

const ENTRIES: readonly EntryName[] = [...ANSWER_NAMES, 'step']

export type IntakeKeeper = ReturnType<typeof intakeKeeper>

/** Stores every entry in the tab at once and syncs it to the server, one save at a time, with retries. */
export function intakeKeeper({ storage, owner, send, newId }: KeeperParts) {
  const copy: TabCopy = readCopy(storage, owner) ?? {
    answers: {},
    step: INTAKE_STEPS[0],
    edits: {},
    sent: {},
    submit: false,
  }
  /** Refused edits, which are not sent again. */
  const refused: TabCopy['sent'] = {}
  /** Answers that are shown as invalid or were left so; not one that is being typed. */
  const wrong = new Set(ANSWER_NAMES.filter((name) => !isFit(name, copy.answers[name] ?? null)))
  /** Ids of edits of this tab that were never sent. */
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

  /** Names the earlier edits, except those that were never sent. */
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
      // Another instance owns the local draft by now.
      if (resting) return
      if (outcome.kind === 'failed') return tell({ kind: 'unsent' })
      if (outcome.kind === 'refused') again = leaveOut(outcome.names, ids)
      else arrived(outcome, ids)
    } while (again && !sent)
    settle()
  }

  /** False if no entry can be left out, since the same save would be refused again. */
  function leaveOut(names: readonly string[], ids: TabCopy['sent']): boolean {
    const named = ENTRIES.filter((name) => name in ids && names.includes(name))
    for (const name of named) refused[name] = ids[name]!
    // A submitted intake cannot change, so do not submit it without this answer.
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
    /** Merges the server's draft. Entries that are not sent yet stay, and are sent later. */
    open(intake: Pick<Intake, 'data' | 'step' | 'edits' | 'editedAt'>): void {
      for (const name of ENTRIES) {
        const given = serverEdit(intake, name)
        if (!given) continue
        // The server keeps the earlier edits itself.
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

    /** Sets known values for answers that were never entered. */
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
        // A further answer cancels a pending submit.
        copy.submit = false
      }
      write()
      // Keeps `unsent` while typing offline.
      if (state.kind !== 'unsent' && sendable().length > 0) tell({ kind: 'saving' })
    },

    /** Records which of these answers the form shows as invalid. */
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

    /** Sends all unsent entries; never throws. */
    save,

    /** True if the server has confirmed it; else the draft stays and is sent again. */
    async submit(): Promise<boolean> {
      copy.submit = true
      write()
      await underWay
      await save()
      return sent
    },

    answers: (): Readonly<TabCopy['answers']> => copy.answers,
    step: (): IntakeStep => copy.step,
    /** Whether there are entries to send. */
    waits: (): boolean => !sent && (copy.submit || sendable().length > 0),
    submitWaits: (): boolean => !sent && copy.submit,
    /** Whether the intake is submitted. */
    sent: (): boolean => sent,
    /** Undefined also if it was submitted elsewhere. */
    submittedAt: (): string | undefined => submittedAt,
    state: (): SaveState => state,
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    /** A paused instance does not write the local draft after a save. */
    rest: () => void (resting = true),
    wake: () => void (resting = false),
  }
}
