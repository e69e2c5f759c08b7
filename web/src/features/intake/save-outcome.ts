import type { SaveFailures } from '@guidon/contract/intake'

/** How a save ended. */
export type Outcome =
  | { kind: 'saved'; savedAt: string; submittedAt: string | null }
  /** The server refuses these entries; it would accept the others. */
  | { kind: 'refused'; names: readonly string[] }
  /** The intake was submitted before and cannot change. */
  | { kind: 'closed' }
  | { kind: 'failed'; reason: SaveFailureReason }

export type SaveFailureReason = Exclude<keyof SaveFailures, 'submits'>

/** What the veteran is told about the answers. */
export type SaveState =
  | { kind: 'untouched' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: string }
  /** The last save failed; its edits are sent again later. */
  | { kind: 'unreachable' }
  /** An answer that is shown as invalid is not saved; all others are. */
  | { kind: 'invalid' }
