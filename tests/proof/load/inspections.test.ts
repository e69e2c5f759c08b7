import { scrypt } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { checkFile } from '../../../api/src/files/checks/check-file.ts'
import { checkers } from '../../../api/src/files/checks/checkers.ts'
import type { Make } from '../../support/files/good-files.ts'
import { bombs } from '../../support/files/hostile-bombs.ts'
import { figures, headline } from '../figures.ts'
import { timeLimit } from '../size.ts'

/** The number of libuv threads: if all were busy, no password would be hashed and no name resolved. */
const CONCURRENT_FILES = 4
/** An inspection in this process would compute for many seconds without a pause. */
const MAX_COMPUTING_MS = 2_000
/** Of hashes, name look-ups and file reads: none of them waits for a whole inspection. */
const MAX_WAIT_MS = timeLimit(2_000)

/** None of these files reaches the scanner. */
const checks = {
  scanner: { scan: async () => 'clean' as const },
  checkers: checkers([inject('environment')['CHECKER_SOCKETS']!]),
}
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guidon-free-'))
  await writeFile(join(folder, 'first'), '%PDF-')
  await checkFile(join(folder, 'first'), checks)
})
afterAll(() => rm(folder, { recursive: true }))

const hash = promisify(scrypt)

/** Measures how long this thread computes without a pause, in CPU time, which other processes do not affect. */
function computingProbe() {
  let longestMs = 0
  let last = process.threadCpuUsage()
  const measure = () => {
    const { user, system } = process.threadCpuUsage(last)
    longestMs = Math.max(longestMs, (user + system) / 1000)
    last = process.threadCpuUsage()
  }
  const timer = setInterval(measure, 5)
  return {
    stop: () => {
      measure()
      clearInterval(timer)
      return longestMs
    },
  }
}

/** Measures how long work in the thread pool takes, until it is stopped. */
function poolProbe() {
  const stopped = new AbortController()
  const longest = (async () => {
    let longestMs = 0
    while (!stopped.signal.aborted) {
      const started = performance.now()
      await Promise.all([hash('password', 'salt', 32), lookup('localhost'), stat(folder)])
      longestMs = Math.max(longestMs, performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return longestMs
  })()
  return {
    stop: () => {
      stopped.abort()
      return longest
    },
  }
}

async function measureInspection(files: readonly Make[]) {
  const paths = await Promise.all(
    files.map(async (make, index) => {
      const path = join(folder, String(index))
      await writeFile(path, await make())
      return path
    }),
  )
  const computing = computingProbe()
  const pool = poolProbe()
  const verdicts = await Promise.all(paths.map((path) => checkFile(path, checks)))
  return { verdicts, computingMs: computing.stop(), waitMs: await pool.stop() }
}

it.each(Object.entries(bombs))(
  'this process stays responsive while a file is inspected: %s',
  async (name, make) => {
    const { verdicts, computingMs, waitMs } = await measureInspection(
      Array<Make>(CONCURRENT_FILES).fill(make),
    )
    figures(name, { computingMs: Math.round(computingMs), waitMs: Math.round(waitMs) })
    headline.sum({ 'hostile files': verdicts.length })
    headline.max({
      'ms of computing without a pause': Math.round(computingMs),
      'ms that others waited': Math.round(waitMs),
    })
    for (const verdict of verdicts) expect(verdict).toHaveProperty('refusal.status', 422)
    expect(computingMs).toBeLessThan(MAX_COMPUTING_MS)
    expect(waitMs).toBeLessThan(MAX_WAIT_MS)
  },
)
