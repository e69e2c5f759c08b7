import type { Interface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

const READY_TIMEOUT_MS = 60_000
const POLL_MS = 50
const REQUEST_TIMEOUT_MS = 2_000
// node --watch goes on after the program that it runs has failed.
const WATCHED_PROGRAM_FAILED = 'Failed running'

/** Ready when the URL responds with 2xx, or when a line of the output contains the text. */
export type Readiness = { url: string } | { line: string }

interface StartingProcess {
  name: string
  lines: Interface
  ended: Promise<string>
  signal: AbortSignal | undefined
}

export async function untilReady(readiness: Readiness, process: StartingProcess): Promise<void> {
  const { name, lines, ended, signal } = process
  const done = new AbortController()
  const failed = new Promise<never>((_, reject) => {
    const fail = (why: string) => reject(new Error(`${name} ${why}`))
    signal?.addEventListener('abort', () => fail('was stopped'), { signal: done.signal })
    if (signal?.aborted) fail('was stopped')
    void ended.then((how) => fail(`ended before it was ready (${how})`))
    const readyTimer = setTimeout(
      () => fail(`was not ready in ${READY_TIMEOUT_MS / 1000} s`),
      READY_TIMEOUT_MS,
    )
    done.signal.addEventListener('abort', () => clearTimeout(readyTimer))
    const check = (line: string) => {
      if (line.startsWith(WATCHED_PROGRAM_FAILED)) fail('did not start')
    }
    lines.on('line', check)
    done.signal.addEventListener('abort', () => lines.off('line', check))
  })
  const ready =
    'url' in readiness
      ? untilUrlResponds(readiness.url, done.signal)
      : untilLineContains(readiness.line, lines)
  try {
    await Promise.race([ready, failed])
  } finally {
    done.abort()
  }
}

async function untilLineContains(text: string, lines: Interface): Promise<void> {
  return new Promise((resolve) => {
    const check = (line: string) => {
      if (!line.includes(text)) return
      lines.off('line', check)
      resolve()
    }
    lines.on('line', check)
  })
}

async function untilUrlResponds(url: string, done: AbortSignal): Promise<void> {
  while (!done.aborted) {
    try {
      const signal = AbortSignal.any([done, AbortSignal.timeout(REQUEST_TIMEOUT_MS)])
      const response = await fetch(url, { signal })
      await response.body?.cancel()
      if (response.ok) return
    } catch {
      // Not listening yet.
    }
    await delay(POLL_MS, undefined, { signal: done }).catch(() => {})
  }
}
