import { readdirSync, readlinkSync } from 'node:fs'

const DELETED = ' (deleted)'

/**
 * The ids of all processes whose working directory is in the folder. PostgreSQL is not a child of the Patroni that
 * started it, and outlives it; its working directory still says to which machine it belongs.
 */
function processesBelow(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const directory = readlinkSync(`/proc/${pid}/cwd`).replace(DELETED, '')
        return `${directory}/`.startsWith(`${folder}/`)
      } catch {
        return false
      }
    })
}

/** Signals all of them, until there is no new one. */
export function signalBelow(folder: string, signal: NodeJS.Signals): void {
  const signalled = new Set<number>()
  for (;;) {
    const found = processesBelow(folder).filter((pid) => !signalled.has(pid) && pid !== process.pid)
    if (found.length === 0) return
    for (const pid of found) {
      signalled.add(pid)
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended meanwhile.
      }
    }
  }
}
