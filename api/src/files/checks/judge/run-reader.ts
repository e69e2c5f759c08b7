import { boundedRun } from '../bounded-run.ts'
import type { Ran, RunOptions } from '../bounded-run.ts'
import { cpuSecondsFor } from './cpu.ts'

const MB = 1024 * 1024
const MEMORY = 1024 * MB
const LONGEST_MS = 20_000

interface Reader extends Pick<RunOptions, 'onOutput' | 'enoughOutput'> {
  /** Of the file. */
  size: number
  cpuSeconds?: number
}

/** Runs a program that reads the file, which it gets as `/dev/stdin`. */
export function runReader(
  program: string,
  args: readonly string[],
  { size, cpuSeconds = 1, ...output }: Reader,
): Promise<Ran> {
  const bounds = {
    memory: MEMORY,
    cpuSeconds: cpuSecondsFor(cpuSeconds, size),
    longestMs: LONGEST_MS,
  }
  return boundedRun(program, args, { bounds, stdin: 0, ...output })
}
