import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Identifies one run of a process. A process id alone is not enough: the system reuses it, and a file
 * that contains it would then name an unrelated process.
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      // The name, in parentheses, may itself contain spaces and parentheses: count from its end.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return fields[0] === 'Z' ? undefined : `${pid}@${fields[19]}`
    } catch {
      return undefined
    }
  }
  const started = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  const text = started.stdout.trim()
  return text === '' ? undefined : `${pid}@${text}`
}

export function isRunning(identity: string): boolean {
  const pid = Number.parseInt(identity, 10)
  return Number.isInteger(pid) && processIdentity(pid) === identity
}
