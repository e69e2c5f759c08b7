import type { Loop } from '../support/outside/load.ts'
import type { ReadName } from './reads.ts'

export interface ReadTask {
  base: string
  names: ReadName[]
  /** The number of veterans who are signed in. */
  sessions: number
  loop: Loop
}

/** Returns a function that picks a random veteran for each call, so that caches do not help. */
export function randomVeteran(sessions: number): () => number {
  return () => Math.floor(Math.random() * sessions)
}
