import type { EditTimes } from './intake.ts'

export interface Entries {
  /** Answers and the step, by name. */
  values: Readonly<Record<string, unknown>>
  editedAt: EditTimes
}

type Name = keyof EditTimes

/** Entered later than what is there, or the first of its name. */
export function isLater(editedAt: number | undefined, than: number | undefined): boolean {
  return editedAt !== undefined && (than === undefined || editedAt > than)
}

/**
 * Each entry by itself, the later one stays. So it does not matter in which order, how often or from how
 * many tabs saves arrive.
 */
export function laterEntries(stored: Entries, arriving: Entries): Entries {
  const later = Object.keys(arriving.values).filter((name) =>
    isLater(arriving.editedAt[name as Name], stored.editedAt[name as Name]),
  ) as Name[]
  return {
    values: Object.fromEntries(later.map((name) => [name, arriving.values[name]])),
    editedAt: Object.fromEntries(later.map((name) => [name, arriving.editedAt[name]])),
  }
}
