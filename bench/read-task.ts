import type { Loop } from './client.ts'
import type { ReadName } from './reads.ts'

export interface ReadTask {
  base: string
  names: ReadName[]
  /** How many veterans are signed in; each call is another's. */
  sessions: number
  loop: Loop
}

/** Somebody else each time, in an order that no cache could foresee. */
export function veteranFrom(sessions: number): () => number {
  return () => Math.floor(Math.random() * sessions)
}
