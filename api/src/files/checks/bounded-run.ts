import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

const KB = 1024
const LONGEST_OUTPUT = 64 * KB
const MOST_OPEN_FILES = 64

export interface Bounds {
  memory: number
  cpuSeconds: number
  /** On a busy machine two seconds of work take longer. */
  longestMs: number
}

export interface RunOptions {
  bounds: Bounds
  /** An open file that it gets as its standard input: it needs no right to the folder the file is in. */
  stdin?: number
  /** Gets standard output piece by piece instead of `output`; a throw ends the program. */
  onOutput?: (text: string) => void
  /** Ends the program as soon as it has written this many bytes to `output`. */
  enoughOutput?: number
  /** By how much its priority is lowered, from 0 to 19; what it starts inherits it. */
  priority?: number
  /** Whether it may start processes of its own; they end with it. */
  startsOthers?: boolean
}

export interface Ran {
  /** null where it was stopped for what it used up. */
  exit: number | null
  output: string
  errors: string
  /** It got too little of the machine to finish: that says nothing of the file. */
  isLate: boolean
}

/**
 * Runs a reader of hostile files under limits of memory, CPU and time, without our environment and
 * without the right to write a file. Throws where it is not installed.
 */
export async function boundedRun(
  program: string,
  args: readonly string[],
  { bounds, stdin, onOutput, enoughOutput, priority = 0, startsOthers = false }: RunOptions,
): Promise<Ran> {
  const limits = ['prlimit', ...limitsOf(bounds, startsOthers), '--']
  const child = spawn('nice', ['-n', String(priority), ...limits, program, ...args], {
    stdio: [stdin ?? 'ignore', 'pipe', 'pipe'],
    // Its answers are read, so they must not be in somebody's language.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', MALLOC_ARENA_MAX: '2' },
    // A process group of its own, so that what it started can be ended with it.
    detached: startsOthers,
  })
  const end = () => kill(child, startsOthers)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, bounds.longestMs)
  try {
    const [[exit], output, errors] = await Promise.all([
      once(child, 'close') as Promise<[number | null]>,
      onOutput ? passOn(child.stdout!, onOutput) : beginning(child.stdout!, end, enoughOutput),
      beginning(child.stderr!, end),
    ])
    if (/^prlimit: failed to execute/m.test(errors)) throw new Error(`${program} is not installed`)
    if (errors.startsWith('prlimit: ')) throw new Error('The limits could not be set')
    return { exit, output, errors, isLate }
  } finally {
    clearTimeout(timer)
    end()
  }
}

function limitsOf({ memory, cpuSeconds }: Bounds, startsOthers: boolean): string[] {
  const limits = [
    `--as=${memory}`,
    `--cpu=${cpuSeconds}`,
    `--nofile=${MOST_OPEN_FILES}`,
    '--core=0',
    '--fsize=0',
  ]
  return startsOthers ? limits : [...limits, '--nproc=0']
}

function kill(child: ChildProcess, wholeGroup: boolean): void {
  if (child.pid === undefined) return
  // Members of the group can outlive its first process.
  if (!wholeGroup) child.kill('SIGKILL')
  else {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // All of it has ended.
    }
  }
}

async function passOn(stream: Readable, onOutput: (text: string) => void): Promise<string> {
  for await (const chunk of stream.setEncoding('latin1')) onOutput(chunk as string)
  return ''
}

/** Read to the end, so that it can end; kept only up to a length. */
async function beginning(stream: Readable, end: () => void, enough = Infinity): Promise<string> {
  let text = ''
  for await (const chunk of stream.setEncoding('latin1')) {
    if (text.length < LONGEST_OUTPUT) text += chunk as string
    if (text.length >= enough) end()
  }
  return text
}
