import {
  ANSWER_NAMES,
  editTimes,
  INTAKE_STEPS,
  type AnswerName,
  type EditTimes,
  type IntakeStep,
} from '@guidon/contract/intake'
import { INTAKE_VERSION, upgraded } from '@guidon/contract/intake-versions'

/** What this module needs of `sessionStorage`. */
export interface TabStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** The intake as this tab keeps it: as entered, right or not, saved or not. */
export interface TabCopy {
  answers: Partial<Record<AnswerName, unknown>>
  step: IntakeStep
  editedAt: EditTimes
  /** The times of those entries that the server has. */
  sentAt: EditTimes
  /** Submit was pressed, and no answer has come yet. */
  submit: boolean
}

/** Part of a date in the copy of an older release, which did not keep the digits: the server's date stays. */
const INCOMPLETE_BEFORE = 'incomplete'

const FORM = 'guidon.intake.form'
const PARTS: Readonly<Record<string, readonly AnswerName[]>> = {
  'guidon.intake.personal-details': ['gender', 'dominantArm', 'dateOfBirth'],
  'guidon.intake.va-info': ['disabilityRating', 'activeClaim', 'activeAppeal'],
}
const inParts = new Set(Object.values(PARTS).flat())
const KEYS: Readonly<Record<string, readonly AnswerName[]>> = {
  [FORM]: ANSWER_NAMES.filter((name) => !inParts.has(name)),
  ...PARTS,
}

/** Undefined where nothing is kept, or where it belongs to somebody else. */
export function readCopy(storage: TabStorage, owner: string): TabCopy | undefined {
  const { owner: found, version, step, submit, editedAt, sentAt } = parsed(storage, FORM)
  if (found !== owner) return undefined
  const parts = Object.keys(KEYS).map((key) => parsed(storage, key)['answers'])
  const answers = upgraded(Number(version), Object.assign({}, ...parts) as Record<string, unknown>)
  const times = editTimes.safeParse(editedAt).data ?? {}
  if (answers['dateOfBirth'] === INCOMPLETE_BEFORE) {
    delete answers['dateOfBirth']
    delete times.dateOfBirth
  }
  return {
    answers,
    step: INTAKE_STEPS.find((name) => name === step) ?? INTAKE_STEPS[0],
    editedAt: times,
    sentAt: editTimes.safeParse(sentAt).data ?? {},
    submit: submit === true,
  }
}

export function writeCopy(storage: TabStorage, owner: string, copy: TabCopy): void {
  const { answers, ...rest } = copy
  for (const [key, names] of Object.entries(KEYS)) {
    const part = Object.fromEntries(
      names.filter((name) => name in answers).map((name) => [name, answers[name]]),
    )
    const about = key === FORM ? { owner, version: INTAKE_VERSION, ...rest } : {}
    try {
      storage.setItem(key, JSON.stringify({ ...about, answers: part }))
    } catch {
      // No room, or storage is switched off: the answers still go to the server.
    }
  }
}

export function clearCopy(storage: TabStorage): void {
  for (const key of Object.keys(KEYS)) storage.removeItem(key)
}

function parsed(storage: TabStorage, key: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? '{}')
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
  } catch {
    // Not ours, or damaged: the same as nothing.
    return {}
  }
}
