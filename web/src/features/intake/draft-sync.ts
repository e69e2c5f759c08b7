import {
  ANSWER_NAMES,
  INTAKE_STEPS,
  type AnswerName,
  type EntryName,
  type Intake,
  type IntakeSave,
  type IntakeStep,
} from '@guidon/contract/intake'
import { withHistory, isSameOrEarlier, PREFILLED, type Edit } from '@guidon/contract/intake-merge'
import { SAVE_FAILURES_MAX } from '@guidon/contract/limits'
import { prefilled, serverEdit } from './edits.ts'
import { isValid } from './entries.ts'
import {
  clearLocalDraft,
  readLocalDraft,
  writeLocalDraft,
  type LocalDraft,
  type DraftStorage,
} from './local-draft.ts'
import type { Outcome, SaveFailureReason, SaveState } from './save-outcome.ts'

interface DraftSyncParts {
  storage: DraftStorage
  /** The user's email: the draft of another user is never read. */
  owner: string
  send: (save: IntakeSave) => Promise<Outcome>
  /** Returns an id that is unique over all devices. */
  newId: () => string
}

const ENTRIES: readonly EntryName[] = [...ANSWER_NAMES, 'step']

export type DraftSync = ReturnType<typeof createDraftSync>

/** Stores every entry in the tab at once and syncs it to the server, one save at a time, with retries. */
export function createDraftSync({ storage, owner, send, newId }: DraftSyncParts) {
  const local: LocalDraft = readLocalDraft(storage, owner) ?? {
    answers: {},
    step: INTAKE_STEPS[0],
    edits: {},
    sent: {},
    submit: false,
    failures: {},
  }
  /** Refused edits, which are not sent again. */
  const refused: LocalDraft['sent'] = {}
  /** Answers that are shown as invalid, now or before a reload. An answer that is being typed is not one of them. */
  const invalid = new Set(
    ANSWER_NAMES.filter((name) => !isValid(name, local.answers[name] ?? null)),
  )
  /** Ids of edits of this tab that were never sent. */
  const neverSent = new Set<string>()
  let state: SaveState = { kind: 'untouched' }
  let savedAt: string | undefined
  let submitted = false
  let submittedAt: string | undefined
  let tooLate = false
  /** Whether the last save failed. */
  let unreachable = false
  /** The edits that are being sent. */
  let inFlight: LocalDraft['sent'] = {}
  let paused = false
  let running: Promise<void> | undefined
  let saveAgain = false
  const listeners = new Set<() => void>()

  const valueOf = (name: EntryName): unknown => (name === 'step' ? local.step : local.answers[name])
  const idOf = (name: EntryName) => local.edits[name]?.id
  const isUnsent = (name: EntryName) => idOf(name) !== undefined && idOf(name) !== local.sent[name]
  const unsentNames = () => ENTRIES.filter(isUnsent)
  const isSendable = (name: EntryName) =>
    idOf(name) !== refused[name] && (name === 'step' || isValid(name, valueOf(name)))
  const sendable = () => unsentNames().filter(isSendable)

  const isBlocked = (name: EntryName) => {
    if (idOf(name) === refused[name]) return true
    return name !== 'step' && invalid.has(name) && !isValid(name, valueOf(name))
  }

  function setState(next: SaveState): void {
    state = next
    for (const listener of listeners) listener()
  }

  function write(): void {
    if (!submitted) writeLocalDraft(storage, owner, local)
  }

  function setEntry(name: EntryName, value: unknown, edit: Edit): void {
    if (name === 'step') local.step = value as IntakeStep
    else local.answers[name] = value
    local.edits[name] = edit
  }

  /** Creates an edit; `over` gets the ids of the earlier edits that it replaces, except those that were never sent. */
  function nextEdit(name: EntryName): Edit {
    const previous = local.edits[name]
    const edit = { id: newId(), over: [] }
    neverSent.add(edit.id)
    if (!previous) return edit
    return neverSent.delete(previous.id)
      ? { ...previous, id: edit.id }
      : withHistory(previous, edit)
  }

  function contentOf(names: readonly EntryName[]): IntakeSave {
    for (const name of names) neverSent.delete(idOf(name)!)
    return {
      ...Object.fromEntries(names.map((name) => [name, valueOf(name)])),
      edits: Object.fromEntries(names.map((name) => [name, local.edits[name]!])),
    }
  }

  function countFailure(reason: SaveFailureReason): void {
    for (const kind of local.submit ? [reason, 'submits' as const] : [reason]) {
      local.failures[kind] = Math.min((local.failures[kind] ?? 0) + 1, SAVE_FAILURES_MAX)
    }
    write()
  }

  async function sendAll(): Promise<void> {
    do {
      saveAgain = false
      const names = sendable()
      if (names.length === 0 && !local.submit) return updateState()
      setState({ kind: 'saving' })
      const ids = Object.fromEntries(names.map((name) => [name, idOf(name)!]))
      inFlight = { ...ids }
      const outcome = await send({
        ...contentOf(names),
        ...(local.submit && { submit: true }),
        ...(Object.keys(local.failures).length > 0 && { failures: local.failures }),
      })
      inFlight = {}
      // Another instance may own the local draft by now.
      if (paused) return
      unreachable = outcome.kind === 'failed'
      if (outcome.kind === 'failed') {
        countFailure(outcome.reason)
        return setState({ kind: 'unreachable' })
      }
      if (outcome.kind === 'refused') saveAgain = excludeRefused(outcome.names, ids)
      else applyOutcome(outcome, ids)
    } while (saveAgain && !submitted)
    updateState()
  }

  /** Returns false if no entry can be left out: the same save would be refused again. */
  function excludeRefused(names: readonly string[], ids: LocalDraft['sent']): boolean {
    const refusedNames = ENTRIES.filter((name) => name in ids && names.includes(name))
    for (const name of refusedNames) refused[name] = ids[name]!
    // A submitted intake cannot change, so do not submit it without this answer.
    if (refusedNames.length > 0) local.submit = false
    return refusedNames.length > 0
  }

  function applyOutcome(
    outcome: Outcome & { kind: 'saved' | 'closed' },
    ids: LocalDraft['sent'],
  ): void {
    if (outcome.kind === 'saved') {
      Object.assign(local.sent, ids)
      local.failures = {}
      savedAt = outcome.savedAt
      submittedAt = outcome.submittedAt ?? undefined
    }
    if (outcome.kind === 'closed' || outcome.submittedAt !== null) {
      submitted = true
      tooLate = outcome.kind === 'closed'
      clearLocalDraft(storage)
    }
    write()
  }

  function updateState(): void {
    if (!submitted && sendable().length > 0) setState({ kind: 'saving' })
    else if (!submitted && unsentNames().some(isBlocked)) setState({ kind: 'invalid' })
    else setState(savedAt === undefined ? { kind: 'untouched' } : { kind: 'saved', at: savedAt })
  }

  function save(): Promise<void> {
    saveAgain = true
    running ??= sendAll().finally(() => (running = undefined))
    return running
  }

  return {
    /** Merges the server's draft. Entries that are not sent yet stay, and are sent later. */
    open(intake: Pick<Intake, 'data' | 'step' | 'edits' | 'editedAt'>): void {
      for (const name of ENTRIES) {
        const fromServer = serverEdit(intake, name)
        if (!fromServer) continue
        // Without the edits that it replaces (`over`), because the server stores these itself.
        const trimmedServerEdit = { id: fromServer.id, over: [] }
        const localEdit = local.edits[name]
        if (
          localEdit &&
          localEdit.id !== PREFILLED &&
          isUnsent(name) &&
          !isSameOrEarlier(localEdit, fromServer)
        ) {
          local.edits[name] = withHistory(trimmedServerEdit, localEdit)
          neverSent.delete(localEdit.id)
        } else {
          const value = name === 'step' ? intake.step : (intake.data[name] ?? null)
          setEntry(name, value, trimmedServerEdit)
        }
        local.sent[name] = trimmedServerEdit.id
      }
      write()
    },

    /** Sets known values for answers that were never entered. */
    prefill(known: Partial<Record<AnswerName, string>>): void {
      for (const [name, value] of Object.entries(known) as [AnswerName, string][]) {
        if (!local.edits[name] && isValid(name, value)) setEntry(name, value, prefilled())
      }
      write()
    },

    enter(answers: Partial<Record<AnswerName, unknown>>): void {
      for (const [name, value] of Object.entries(answers) as [AnswerName, unknown][]) {
        if ((local.answers[name] ?? null) === (value ?? null)) continue
        setEntry(name, value, nextEdit(name))
        // A further answer cancels a pending submit.
        local.submit = false
      }
      write()
      // Keeps `unreachable` while typing offline.
      if (state.kind !== 'unreachable' && sendable().length > 0) setState({ kind: 'saving' })
    },

    /** Records which of these answers the form shows as invalid. */
    mark(names: readonly AnswerName[], shownInvalid: readonly string[]): void {
      for (const name of names) {
        if (shownInvalid.includes(name)) invalid.add(name)
        else invalid.delete(name)
      }
      const isSaving = running !== undefined && state.kind === 'saving'
      if (!isSaving && state.kind !== 'unreachable') updateState()
    },

    go(step: IntakeStep): void {
      if (local.step !== step) setEntry('step', step, nextEdit('step'))
      write()
    },

    /** Sends all unsent entries; never throws. */
    save,

    /**
     * For a tab that may be closed next: sends without waiting for a running save. The server ignores an
     * edit that arrives twice, and one that arrives after its successor.
     */
    flush(): void {
      if (!running) return void save()
      const names = sendable().filter((name) => idOf(name) !== inFlight[name])
      for (const name of names) inFlight[name] = idOf(name)!
      if (names.length > 0) void send(contentOf(names))
    },

    /** Returns true if the server has confirmed the submission. Otherwise the draft stays and is sent again. */
    async submit(): Promise<boolean> {
      local.submit = true
      write()
      await running
      await save()
      return submitted
    },

    answers: (): Readonly<LocalDraft['answers']> => local.answers,
    step: (): IntakeStep => local.step,
    /** Whether there are entries to send. */
    hasUnsent: (): boolean => !submitted && (local.submit || sendable().length > 0),
    /** Ids of the edits that this tab could not send, because the server is unreachable or the answer is invalid. */
    keptHereOnly: (): string => {
      if (submitted) return ''
      const kept = ANSWER_NAMES.filter(
        (name) => isUnsent(name) && idOf(name) !== PREFILLED && (unreachable || !isSendable(name)),
      )
      return [...kept.map(idOf), ...(local.submit ? ['submit'] : [])].join(' ')
    },
    isSubmitPending: (): boolean => !submitted && local.submit,
    /** Whether the intake is submitted. */
    isSubmitted: (): boolean => submitted,
    /** Whether answers of this tab came too late: the intake had been submitted elsewhere. */
    wasTooLate: (): boolean => tooLate,
    /** Undefined also if it was submitted elsewhere. */
    submittedAt: (): string | undefined => submittedAt,
    state: (): SaveState => state,
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    /** While paused, a save that ends does not write the local draft: another instance may own it by then. */
    pause: () => void (paused = true),
    resume: () => void (paused = false),
  }
}
