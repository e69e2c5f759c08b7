export type FileKind = 'pdf' | 'jpeg'
/** A warning for staff about an accepted file. */
type FileFlag = 'scripts'

export interface Accepted {
  flags: FileFlag[]
  /** The bytes that replace a photo: `head`, then these ranges of the original. Missing if the whole file is kept. */
  clean?: { head: number[]; ranges: [start: number, end: number][] }
}

/** The JSON that the inspection process writes; `refusal` is a code. */
export type Inspection = ({ kind: FileKind } & Accepted) | { refusal: string }
