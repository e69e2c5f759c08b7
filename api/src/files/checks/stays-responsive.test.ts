import { scrypt } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Make } from '../../../test/files/good-files.ts'
import { bombs } from '../../../test/files/hostile-bombs.ts'
import { photosWithAttachment, startingPrograms } from '../../../test/files/hostile-programs.ts'
import { checkFile } from './check-file.ts'

/** The number of libuv threads: if all were busy, no password would be hashed and no name resolved. */
const CONCURRENT_FILES = 4
/** Generous, because other processes share the machine. An inspection in this process blocked it for many seconds. */
const MAX_DELAY_MS = 500
const MAX_WAIT_MS = 1_000

/** None of these files reaches the scanner. */
const scanner = { scan: async () => 'clean' as const }
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guidon-free-'))
  await writeFile(join(folder, 'first'), '%PDF-')
  await checkFile(join(folder, 'first'), { scanner })
})
afterAll(() => rm(folder, { recursive: true }))

const hash = promisify(scrypt)

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
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const probe = poolProbe()
  const verdicts = await Promise.all(paths.map((path) => checkFile(path, { scanner })))
  delay.disable()
  return { verdicts, delayMs: delay.max / 1e6, waitMs: await probe.stop() }
}

const others = Object.entries({ ...startingPrograms, ...photosWithAttachment })
const groups = Array.from({ length: Math.ceil(others.length / CONCURRENT_FILES) }, (_, index) =>
  others.slice(index * CONCURRENT_FILES, (index + 1) * CONCURRENT_FILES),
)

it.each([
  ...Object.entries(bombs).map(
    ([name, make]) => [name, Array<Make>(CONCURRENT_FILES).fill(make)] as const,
  ),
  ...groups.map(
    (group) => [group.map(([name]) => name).join('; '), group.map(([, make]) => make)] as const,
  ),
])(
  'this process stays responsive while a file is inspected: %s',
  async (_, files) => {
    const { verdicts, delayMs, waitMs } = await measureInspection(files)
    for (const verdict of verdicts) expect(verdict).toHaveProperty('refusal.status', 422)
    expect(delayMs).toBeLessThan(MAX_DELAY_MS)
    expect(waitMs).toBeLessThan(MAX_WAIT_MS)
  },
  60_000,
)
