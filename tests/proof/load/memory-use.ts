import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface MemorySample {
  /** By `performance.now()` of this process. */
  at: number
  megabytes: number
}

const MEGABYTE = 1024 * 1024

/** Makes the processes of a stack log their memory for `inUse`. */
export function memoryLogEnvironment(dir: string): Record<string, string> {
  const script = new URL('memory-log.ts', import.meta.url)
  script.searchParams.set('dir', dir)
  return { NODE_OPTIONS: `--import=${script.href}` }
}

/** What JavaScript keeps, with its buffers, after each major garbage collection of the process. */
export function inUse(dir: string, pid: number): MemorySample[] {
  const lines = readFileSync(join(dir, String(pid)), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => {
    const [at, bytes] = line.split(' ').map(Number)
    return { at: at! - performance.timeOrigin, megabytes: bytes! / MEGABYTE }
  })
}

/** By least squares. Each part has a level of its own, so that a step between two parts does not count. */
export function megabytesAMinute(...parts: readonly MemorySample[][]): number {
  const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / values.length
  const distances = parts.flatMap((samples) => {
    const [at, megabytes] = [mean(samples.map((s) => s.at)), mean(samples.map((s) => s.megabytes))]
    return samples.map((s) => ({ time: s.at - at, memory: s.megabytes - megabytes }))
  })
  const covariance = mean(distances.map(({ time, memory }) => time * memory))
  return (covariance / mean(distances.map(({ time }) => time ** 2))) * 60_000
}
