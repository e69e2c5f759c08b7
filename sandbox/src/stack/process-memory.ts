import { readFileSync } from 'node:fs'

/** Resident memory in megabytes: `VmRSS` is the current value, `VmHWM` the peak. */
export function processMegabytes(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
}
