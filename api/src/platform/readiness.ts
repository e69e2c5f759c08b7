import type { Log } from './log.ts'
import { withTimeout } from './timeout.ts'

/** Whoever asks within this time shares one answer: a balancer's questions cost PostgreSQL one statement a second. */
const FRESH_MS = 1_000
/** A process that is only slow must not look broken: the others would get its load on top of theirs. */
const PATIENCE_MS = 4_000

/** Each resolves when that part of the process can do its work, and says in its name what is away. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>

export interface Readiness {
  /** Whether this process should be given requests. */
  ready(): Promise<boolean>
  /** From now on it should not; it still answers those that come. */
  leave(): void
  leaving(): boolean
}

export function readiness(checks: Checks, log: Pick<Log, 'warn' | 'info'>): Readiness {
  let left = false
  let missing = ''
  let asked = -Infinity
  let answer = Promise.resolve(true)

  const look = async (): Promise<boolean> => {
    const found = await Promise.all(
      Object.entries(checks).map(async ([kind, check]) => ((await passes(check)) ? [] : [kind])),
    )
    const now = found.flat().join(', ')
    // Told when it changes, not at every question.
    if (now !== missing && now !== '') log.warn({ kind: now }, 'not ready')
    if (now !== missing && now === '') log.info('ready again')
    missing = now
    return now === ''
  }

  return {
    ready: async () => {
      if (left) return false
      if (performance.now() - asked >= FRESH_MS) {
        asked = performance.now()
        answer = look()
      }
      return (await answer) && !left
    },
    leave: () => {
      left = true
    },
    leaving: () => left,
  }
}

const passes = (check: () => Promise<unknown>) =>
  withTimeout(PATIENCE_MS, check()).then(
    () => true,
    () => false,
  )
