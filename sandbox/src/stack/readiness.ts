import type { Interface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

const PATIENCE_MS = 60_000
const LOOK_AGAIN_MS = 50
const ANSWER_MS = 2_000
// node --watch outlives the program that it runs.
const WATCHED_PROGRAM_FAILED = 'Failed running'

/** Ready when the address answers 2xx, or when a line of its output holds the words. */
export type Readiness = { url: string } | { line: string }

interface Watched {
  name: string
  lines: Interface
  ended: Promise<string>
  signal: AbortSignal | undefined
}

export async function untilReady(readiness: Readiness, watched: Watched): Promise<void> {
  const { name, lines, ended, signal } = watched
  const over = new AbortController()
  const failed = new Promise<never>((_, reject) => {
    const fail = (why: string) => reject(new Error(`${name} ${why}`))
    signal?.addEventListener('abort', () => fail('was stopped'), { signal: over.signal })
    if (signal?.aborted) fail('was stopped')
    void ended.then((how) => fail(`ended before it was ready (${how})`))
    const late = setTimeout(() => fail(`was not ready in ${PATIENCE_MS / 1000} s`), PATIENCE_MS)
    over.signal.addEventListener('abort', () => clearTimeout(late))
    const look = (line: string) => {
      if (line.startsWith(WATCHED_PROGRAM_FAILED)) fail('did not start')
    }
    lines.on('line', look)
    over.signal.addEventListener('abort', () => lines.off('line', look))
  })
  const ready =
    'url' in readiness ? answers(readiness.url, over.signal) : says(readiness.line, lines)
  try {
    await Promise.race([ready, failed])
  } finally {
    over.abort()
  }
}

async function says(words: string, lines: Interface): Promise<void> {
  return new Promise((resolve) => {
    const look = (line: string) => {
      if (!line.includes(words)) return
      lines.off('line', look)
      resolve()
    }
    lines.on('line', look)
  })
}

async function answers(url: string, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    try {
      const signal = AbortSignal.any([over, AbortSignal.timeout(ANSWER_MS)])
      const answer = await fetch(url, { signal })
      await answer.body?.cancel()
      if (answer.ok) return
    } catch {
      // Not listening yet.
    }
    await delay(LOOK_AGAIN_MS, undefined, { signal: over }).catch(() => {})
  }
}
