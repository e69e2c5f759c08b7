export type FileKind = 'pdf' | 'jpeg'
/** A warning for staff about an accepted file. */
export type FileFlag = 'scripts'

/** The JSON that the inspection process writes; `refusal` is a code. */
export type Inspection = { kind: FileKind; flags: FileFlag[] } | { refusal: string }
