import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

const MB = 1024 * 1024
const LONGEST_OUTPUT = 64 * 1024

export interface Bounds {
  memory: number
  cpuSeconds: number
  /** On a busy machine ten seconds of work take longer. */
  longestMs: number
}

const BOUNDS: Bounds = { memory: 1024 * MB, cpuSeconds: 10, longestMs: 25_000 }

export interface Ran {
  /** null where it was stopped for what it used up. */
  exit: number | null
  output: string
  /** It got too little of the machine to finish: that says nothing of the file. */
  isLate: boolean
}

/**
 * Runs a reader of hostile files with so much memory and time and no more, and lets it write no file.
 * Throws where it is not installed.
 */
export async function boundedRun(
  program: string,
  args: readonly string[],
  { memory, cpuSeconds, longestMs }: Bounds = BOUNDS,
): Promise<Ran> {
  const limits = [`--as=${memory}`, `--cpu=${cpuSeconds}`, '--core=0', '--fsize=0']
  const child = spawn('prlimit', [...limits, '--', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its answers are read, so they must not be in somebody's language.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, longestMs)
  try {
    const [[exit], ...outputs] = await Promise.all([
      once(child, 'close') as Promise<[number | null]>,
      beginning(child.stdout),
      beginning(child.stderr),
    ])
    const output = outputs.join('\n')
    if (/^prlimit: failed to execute/m.test(output)) throw new Error(`${program} is not installed`)
    return { exit, output, isLate }
  } finally {
    clearTimeout(timer)
  }
}

/** Read to the end, so that it can end; kept only up to a length. */
async function beginning(stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream.setEncoding('latin1')) {
    if (text.length < LONGEST_OUTPUT) text += chunk as string
  }
  return text
}
