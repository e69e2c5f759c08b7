export type FileKind = 'pdf' | 'jpeg'
/** What staff should know of a file that was accepted. */
export type FileFlag = 'scripts'

/** As it passes from one process to the other; a refusal by its code. */
export type Judgement = { kind: FileKind; flags: FileFlag[] } | { refusal: string }
