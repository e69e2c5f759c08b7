import { readdirSync, readFileSync } from 'node:fs'
import { platform, setPriority } from 'node:os'

const TASKS = '/proc/self/task'
const BEHIND_OTHERS = 10

/** Lets everyone else go before the thread that says this. */
export function lowerPriority(): void {
  // For Linux "this process" is the thread that asks; elsewhere it would be all of them.
  if (platform() === 'linux') setPriority(BEHIND_OTHERS)
}

/**
 * Lets whatever answers requests go before the threads that hash passwords: these take a core for 14 ms at
 * a time, and a short request would wait for its turn between them. Linux alone has priorities of threads.
 */
export function lowerHashingPriority(): void {
  try {
    for (const id of readdirSync(TASKS)) {
      const name = readFileSync(`${TASKS}/${id}/comm`, 'utf8').trim()
      if (name.startsWith('libuv-worker')) setPriority(Number(id), BEHIND_OTHERS)
    }
  } catch {
    // Elsewhere the threads keep their priority, and all works as before.
  }
}
