import {
  ANSWER_NAMES,
  INTAKE_STEPS,
  type AnswerName,
  type EditTimes,
  type Intake,
  type IntakeSave,
  type IntakeStep,
} from '@guidon/contract/intake'
import { isLater } from '@guidon/contract/intake-merge'
import { isFit, isSame } from './entries.ts'
import { clearCopy, readCopy, writeCopy, type TabCopy, type TabStorage } from './tab-copy.ts'

/** How a save went, in the words that matter here. */
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
  clock: () => number
}

type Entry = AnswerName | 'step'
const ENTRIES: readonly Entry[] = [...ANSWER_NAMES, 'step']

/** Older than anything a person enters. */
const PREFILLED = 0

export type IntakeKeeper = ReturnType<typeof intakeKeeper>

/** Keeps every entry in the tab at once and brings it to the server, one save at a time, until it is there. */
export function intakeKeeper({ storage, owner, send, clock }: KeeperParts) {
  const copy: TabCopy = readCopy(storage, owner) ?? {
    answers: {},
    step: INTAKE_STEPS[0],
    editedAt: {},
    sentAt: {},
    submit: false,
  }
  /** Refused entries wait until they are entered anew. */
  const refusedAt: EditTimes = {}
  /** Answers that are shown as wrong, or were left behind as such; not one that is being typed. */
  const wrong = new Set(ANSWER_NAMES.filter((name) => !isFit(name, copy.answers[name] ?? null)))
  let state: SaveState = { kind: 'untouched' }
  let savedAt: string | undefined
  let sent = false
  let submittedAt: string | undefined
  let resting = false
  let underWay: Promise<void> | undefined
  let again = false
  const listeners = new Set<() => void>()

  const valueOf = (name: Entry): unknown => (name === 'step' ? copy.step : copy.answers[name])
  const onlyHere = () => ENTRIES.filter((name) => isLater(copy.editedAt[name], copy.sentAt[name]))
  const sendable = () =>
    onlyHere().filter(
      (name) =>
        copy.editedAt[name] !== refusedAt[name] && (name === 'step' || isFit(name, valueOf(name))),
    )

  const isHeldBack = (name: Entry) => {
    if (copy.editedAt[name] === refusedAt[name]) return true
    return name !== 'step' && wrong.has(name) && !isFit(name, valueOf(name))
  }

  function tell(next: SaveState): void {
    state = next
    for (const listener of listeners) listener()
  }

  /** Later than everything seen, so that a clock that runs behind does not make an entry look old. */
  function now(): number {
    return Math.max(clock(), ...Object.values(copy.editedAt).map((time = 0) => time + 1))
  }

  function write(): void {
    if (!sent) writeCopy(storage, owner, copy)
  }

  function take(name: Entry, value: unknown, time: number): void {
    if (name === 'step') copy.step = value as IntakeStep
    else copy.answers[name] = value
    copy.editedAt[name] = time
  }

  async function sendAll(): Promise<void> {
    do {
      again = false
      const names = sendable()
      if (names.length === 0 && !copy.submit) return settle()
      tell({ kind: 'saving' })
      const times = Object.fromEntries(names.map((name) => [name, copy.editedAt[name]]))
      const outcome = await send({
        ...Object.fromEntries(names.map((name) => [name, valueOf(name)])),
        editedAt: times,
        ...(copy.submit && { submit: true }),
      })
      // Another keeper has the tab's copy by now.
      if (resting) return
      if (outcome.kind === 'failed') return tell({ kind: 'unsent' })
      if (outcome.kind === 'refused') again = leaveOut(outcome.names, times)
      else arrived(outcome, times)
    } while (again && !sent)
    settle()
  }

  /** False where nothing can be left out: the same again would be refused again. */
  function leaveOut(refused: readonly string[], times: EditTimes): boolean {
    const named = ENTRIES.filter((name) => name in times && refused.includes(name))
    for (const name of named) refusedAt[name] = times[name]!
    return named.length > 0
  }

  function arrived(outcome: Outcome & { kind: 'saved' | 'closed' }, times: EditTimes): void {
    if (outcome.kind === 'saved') {
      Object.assign(copy.sentAt, times)
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
    /** Adds what the server has: of each entry the later one stays. */
    open(intake: Pick<Intake, 'data' | 'step' | 'editedAt'>): void {
      for (const name of ENTRIES) {
        const time = intake.editedAt[name]
        if (time === undefined) continue
        copy.sentAt[name] = time
        const value = name === 'step' ? intake.step : (intake.data[name] ?? null)
        if (!isLater(copy.editedAt[name], time)) take(name, value, time)
      }
      write()
    },

    /** Offers what is known already for answers that nobody has entered yet. */
    prefill(known: Partial<Record<AnswerName, string>>): void {
      for (const [name, value] of Object.entries(known) as [AnswerName, string][]) {
        if (copy.editedAt[name] === undefined && isFit(name, value)) take(name, value, PREFILLED)
      }
      write()
    },

    enter(answers: Partial<Record<AnswerName, unknown>>): void {
      for (const [name, value] of Object.entries(answers) as [AnswerName, unknown][]) {
        if (isSame(name, copy.answers[name], value)) continue
        take(name, value, now())
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
      if (copy.step !== step) take('step', step, now())
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
