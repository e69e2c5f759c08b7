import { readdirSync, readFileSync } from 'node:fs'
import { platform, setPriority } from 'node:os'

const TASKS = '/proc/self/task'
const LOW_PRIORITY = 10

/** Lowers the calling thread's priority. */
export function lowerPriority(): void {
  // Only Linux sets the priority of the calling thread; elsewhere it is that of the whole process.
  if (platform() === 'linux') setPriority(LOW_PRIORITY)
}

/** Lowers the priority of the threads that hash passwords: a hash takes 14 ms, and short requests would wait for it. */
export function lowerHashingPriority(): void {
  try {
    for (const id of readdirSync(TASKS)) {
      const name = readFileSync(`${TASKS}/${id}/comm`, 'utf8').trim()
      if (name.startsWith('libuv-worker')) setPriority(Number(id), LOW_PRIORITY)
    }
  } catch {
    // Other platforms have no priority for threads.
  }
}
