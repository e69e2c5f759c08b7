import { fileURLToPath } from 'node:url'
import { boundedRun } from './bounded-run.ts'
import type { RunResult } from './bounded-run.ts'
import { cpuSecondsFor } from './inspect/cpu.ts'
import { inspected } from './protocol.ts'
import type { FileKind, Result } from './protocol.ts'

const MB = 1024 * 1024
/** Address space: Node reserves much more than it uses. */
const MEMORY = 2048 * MB
/** For a small file. Programs that the process starts inherit the memory and CPU limits. */
const CPU_SECONDS = 2
const TIMEOUT_MS = 25_000
const MAX_LOGGED_CHARS = 500

/** What Node, sharp, qpdf and pdfinfo read when they start. */
const READABLE = [
  '/usr',
  '/lib',
  '/lib64',
  '/etc/ld.so.cache',
  '/etc/ssl/openssl.cnf',
  process.execPath,
  fileURLToPath(new URL('../../../node_modules', import.meta.url)),
]

export interface Inspector {
  /** A JavaScript module that gets the kind of the file as its last argument, and the file as its standard input. */
  script: string
  /** False on a machine that cannot confine programs. */
  isConfined: boolean
}

/** Runs the script in a process of its own, with limits, and without access to anything but the file. */
export function runScript(
  { script, isConfined }: Inspector,
  argument: string,
  { size = 0, ...options }: { size?: number; stdin?: number; priority?: number } = {},
): Promise<RunResult> {
  // Without types to strip, so that a module that the script lacks is an error and not a delay of each file.
  const args = ['--no-strip-types', '--input-type=module', '--eval', script, argument]
  return boundedRun(process.execPath, args, {
    bounds: { memory: MEMORY, cpuSeconds: cpuSecondsFor(CPU_SECONDS, size), timeoutMs: TIMEOUT_MS },
    mayStartProcesses: true,
    confinedTo: isConfined ? READABLE : undefined,
    ...options,
  })
}

export async function inspect(
  inspector: Inspector,
  file: { stdin: number; kind: FileKind; size: number; priority: number },
): Promise<Result & { errors?: string }> {
  const { kind, ...options } = file
  const run = await runScript(inspector, kind, options)
  const [started, line] = run.output.split('\n')
  if (line) return resultOf(line)
  if (run.timedOut) return { outcome: 'timed out' }
  // Nothing of the file was read before, so what was printed can be logged.
  if (started !== 'started')
    return { outcome: 'failed', errors: run.errors.slice(0, MAX_LOGGED_CHARS) }
  // Something, usually a limit, killed it.
  if (run.exit !== 1) return { outcome: 'ended by a limit' }
  const [missing] = /\w+ is not installed/.exec(run.errors) ?? []
  return { outcome: 'failed', ...(missing && { errors: missing }) }
}

/** A hostile file may control what its inspection writes. */
function resultOf(line: string): Result {
  try {
    return { outcome: 'inspected', inspection: inspected.parse(JSON.parse(line)) }
  } catch {
    return { outcome: 'failed' }
  }
}
