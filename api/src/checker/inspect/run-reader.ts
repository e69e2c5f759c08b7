import { boundedRun } from '../bounded-run.ts'
import type { RunResult, RunOptions } from '../bounded-run.ts'
import { cpuSecondsFor } from './cpu.ts'

const MB = 1024 * 1024
const MEMORY = 1024 * MB
const TIMEOUT_MS = 20_000

interface Reader extends Pick<RunOptions, 'onOutput' | 'enoughOutput'> {
  /** Size of the file. */
  size: number
  cpuSeconds?: number
}

/** Runs a program that reads the file from `/dev/stdin`. */
export function runReader(
  program: string,
  args: readonly string[],
  { size, cpuSeconds = 1, ...output }: Reader,
): Promise<RunResult> {
  const bounds = {
    memory: MEMORY,
    cpuSeconds: cpuSecondsFor(cpuSeconds, size),
    timeoutMs: TIMEOUT_MS,
  }
  return boundedRun(program, args, { bounds, stdin: 0, ...output })
}
