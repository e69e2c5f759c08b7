import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const KB = 1024
const MAX_OUTPUT_CHARS = 64 * KB
const MAX_OPEN_FILES = 64
const CONFINE = fileURLToPath(new URL('./confine.pl', import.meta.url))

interface Bounds {
  /** Address space in bytes. */
  memory: number
  cpuSeconds: number
  /** Wall-clock time, higher than the CPU time because the machine may be busy. */
  timeoutMs: number
}

export interface RunOptions {
  bounds: Bounds
  /** An open file as standard input, so that the program needs no access to the file's folder. */
  stdin?: number
  /** Gets standard output in chunks instead of `output`; a throw ends the program. */
  onOutput?: (text: string) => void
  /** Ends the program as soon as it has written this many bytes to `output`. */
  enoughOutput?: number
  /** `nice` value from 0 to 19; child processes inherit it. */
  priority?: number
  /** Child processes are ended together with the program. */
  mayStartProcesses?: boolean
  /** Takes connections, other processes and all files from the program, but not these files and folders, and `stdin`. */
  confinedTo?: readonly string[] | undefined
}

export interface RunResult {
  /** null if it was killed, for example by a limit. */
  exit: number | null
  output: string
  errors: string
  /** The machine was too busy, so there is no verdict about the file. */
  timedOut: boolean
}

/**
 * Runs a program that reads hostile files: limits memory, CPU and time, hides our environment, and forbids
 * writing files. Throws if the program is not installed.
 */
export async function boundedRun(
  program: string,
  args: readonly string[],
  {
    bounds,
    stdin,
    onOutput,
    enoughOutput,
    priority = 0,
    mayStartProcesses = false,
    confinedTo,
  }: RunOptions,
): Promise<RunResult> {
  const limits = ['prlimit', ...limitsOf(bounds, mayStartProcesses), '--']
  const confined = confinedTo ? ['perl', CONFINE, process.arch, ...confinedTo, '--'] : []
  const started = [...limits, ...confined, program, ...args]
  const child = spawn('nice', ['-n', String(priority), ...started], {
    stdio: [stdin ?? 'ignore', 'pipe', 'pipe'],
    // The output is parsed, so it must not be localized.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', MALLOC_ARENA_MAX: '2' },
    // A process group, so that child processes can be killed too.
    detached: mayStartProcesses,
  })
  const end = () => kill(child, mayStartProcesses)
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    end()
  }, bounds.timeoutMs)
  try {
    const [[exit], output, errors] = await Promise.all([
      once(child, 'close') as Promise<[number | null]>,
      onOutput
        ? forwardOutput(child.stdout!, onOutput)
        : readBeginning(child.stdout!, end, enoughOutput),
      readBeginning(child.stderr!, end),
    ])
    const [, missing] =
      /^(?:prlimit: failed to execute|confine: cannot start) ([^:\n]+)/.exec(errors) ?? []
    if (missing) throw new Error(`${missing} is not installed`)
    if (errors.startsWith('prlimit: ')) throw new Error('The limits could not be set')
    return { exit, output, errors, timedOut }
  } finally {
    clearTimeout(timer)
    end()
  }
}

function limitsOf({ memory, cpuSeconds }: Bounds, mayStartProcesses: boolean): string[] {
  const limits = [
    `--as=${memory}`,
    `--cpu=${cpuSeconds}`,
    `--nofile=${MAX_OPEN_FILES}`,
    '--core=0',
    '--fsize=0',
  ]
  return mayStartProcesses ? limits : [...limits, '--nproc=0']
}

function kill(child: ChildProcess, wholeGroup: boolean): void {
  if (child.pid === undefined) return
  // Children can outlive the first process of the group.
  if (!wholeGroup) child.kill('SIGKILL')
  else {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The whole group has ended.
    }
  }
}

async function forwardOutput(stream: Readable, onOutput: (text: string) => void): Promise<string> {
  for await (const chunk of stream.setEncoding('latin1')) onOutput(chunk as string)
  return ''
}

/** Reads to the end, because a full pipe would block the program; keeps only the beginning. */
async function readBeginning(
  stream: Readable,
  end: () => void,
  enough = Infinity,
): Promise<string> {
  let text = ''
  for await (const chunk of stream.setEncoding('latin1')) {
    if (text.length < MAX_OUTPUT_CHARS) text += chunk as string
    if (text.length >= enough) end()
  }
  return text
}
