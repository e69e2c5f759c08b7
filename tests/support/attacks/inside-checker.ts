import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/** What code that has taken over the inspection of a file looks for. */
export interface Targets {
  /** Files with secrets, other uploads and sockets' folders. */
  files: readonly string[]
  /** The API, the checker and the inspection of another file. */
  pids: readonly number[]
  /** How many ids of processes are tried before and after its own: the checker and other inspections. */
  near?: number
  tcp: number
  udp: number
  /** Paths of Unix sockets. */
  sockets: readonly string[]
  /** A Unix socket without a path. */
  abstractSocket: string
  /** A text in the secrets, in the environment and memory of the processes, and in other uploads. */
  secret: string
}

export interface Reached {
  attempts: number
  reached: string[]
}

/** A script in place of the inspection, which tries to reach the targets. It returns the result as the first bytes of a photo. */
export function attackScript(targets: Targets): string {
  const source = readFileSync(new URL('inside-checker-process.ts', import.meta.url), 'utf8')
  return `globalThis.targets = ${JSON.stringify(targets)}\n${stripTypeScriptTypes(source)}`
}

export function reachedIn(result: { clean?: { head: number[] } | undefined }): Reached {
  return JSON.parse(Buffer.from(result.clean!.head).toString()) as Reached
}
