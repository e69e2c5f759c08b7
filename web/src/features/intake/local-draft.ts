import {
  ANSWER_NAMES,
  edits as editsSchema,
  editTimes,
  INTAKE_STEPS,
  saveFailures,
  type AnswerName,
  type EntryName,
  type IntakeStep,
  type SaveFailures,
} from '@guidon/contract/intake'
import { timedEdit, type Edit } from '@guidon/contract/intake-merge'
import { INTAKE_VERSION, upgradeAnswers } from '@guidon/contract/intake-versions'

/** The part of `sessionStorage` that this module uses. */
export interface DraftStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** The intake as stored in this tab, with invalid and unsent answers. */
export interface LocalDraft {
  answers: Partial<Record<AnswerName, unknown>>
  step: IntakeStep
  /** The last edit of each entry (an answer, or the step): its id, and the ids of the earlier edits that it replaces (`over`). */
  edits: Partial<Record<EntryName, Edit>>
  /** Ids of the edits that the server has, as of its last response. */
  sent: Partial<Record<EntryName, string>>
  /** Submit was pressed, and the server has not confirmed it. */
  submit: boolean
  /** The failed saves that the server does not know of yet. */
  failures: SaveFailures
}

/** An older release stored this for an incomplete date, without its digits; the server's date is used instead. */
const LEGACY_INCOMPLETE = 'incomplete'

const FORM = 'guidon.intake.form'
const PARTS: Readonly<Record<string, readonly AnswerName[]>> = {
  'guidon.intake.personal-details': ['gender', 'dominantArm', 'dateOfBirth'],
  'guidon.intake.va-info': ['disabilityRating', 'activeClaim', 'activeAppeal'],
}
const inParts = new Set(Object.values(PARTS).flat())
const ANSWERS_BY_KEY: Readonly<Record<string, readonly AnswerName[]>> = {
  [FORM]: ANSWER_NAMES.filter((name) => !inParts.has(name)),
  ...PARTS,
}

/** Undefined if there is none, or if it belongs to another user. */
export function readLocalDraft(storage: DraftStorage, owner: string): LocalDraft | undefined {
  const { owner: found, version, step, submit, failures, ...rest } = readJson(storage, FORM)
  if (found !== owner) return undefined
  const parts = Object.keys(ANSWERS_BY_KEY).map((key) => readJson(storage, key)['answers'])
  const answers = upgradeAnswers(
    Number(version),
    Object.assign({}, ...parts) as Record<string, unknown>,
  )
  const draftEdits = editsOf(rest)
  if (answers['dateOfBirth'] === LEGACY_INCOMPLETE) {
    delete answers['dateOfBirth']
    delete draftEdits.edits.dateOfBirth
  }
  return {
    answers,
    step: INTAKE_STEPS.find((name) => name === step) ?? INTAKE_STEPS[0],
    ...draftEdits,
    submit: submit === true,
    failures: saveFailures.safeParse(failures).data ?? {},
  }
}

function editsOf(form: Record<string, unknown>): Pick<LocalDraft, 'edits' | 'sent'> {
  const { edits, sent, editedAt, sentAt } = form
  const parsed = editsSchema.safeParse(edits)
  if (parsed.success) {
    return { edits: parsed.data as LocalDraft['edits'], sent: idsOf(sent) }
  }
  // A draft of an older release has times of the device's clock instead of edit ids. It does not say which
  // edits were replaced, so `over` is empty.
  const editIds = idsOfTimes(editedAt)
  return {
    edits: Object.fromEntries(
      Object.entries(editIds).map(([name, id]) => [name, { id, over: [] }]),
    ),
    sent: idsOfTimes(sentAt),
  }
}

function idsOfTimes(times: unknown): Record<string, string> {
  const entries = Object.entries(editTimes.safeParse(times).data ?? {})
  return Object.fromEntries(
    entries.flatMap(([name, time]) => (time === undefined ? [] : [[name, timedEdit(time).id]])),
  )
}

function idsOf(value: unknown): Record<string, string> {
  return value !== null && typeof value === 'object' ? (value as Record<string, string>) : {}
}

export function writeLocalDraft(storage: DraftStorage, owner: string, draft: LocalDraft): void {
  const { answers, ...rest } = draft
  for (const [key, names] of Object.entries(ANSWERS_BY_KEY)) {
    const part = Object.fromEntries(
      names.filter((name) => name in answers).map((name) => [name, answers[name]]),
    )
    const metadata = key === FORM ? { owner, version: INTAKE_VERSION, ...rest } : {}
    try {
      storage.setItem(key, JSON.stringify({ ...metadata, answers: part }))
    } catch {
      // The storage is full or disabled; the answers are still sent to the server.
    }
  }
}

export function clearLocalDraft(storage: DraftStorage): void {
  for (const key of Object.keys(ANSWERS_BY_KEY)) storage.removeItem(key)
}

function readJson(storage: DraftStorage, key: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? '{}')
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
  } catch {
    // Damaged or foreign data counts as none.
    return {}
  }
}
