import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as refusals from '@guidon/contract/document-refusals'
import { startChecker } from '@guidon/tests/files/checker'
import { startClamd } from '@guidon/tests/files/clamd'
import type { Clamd } from '@guidon/tests/files/clamd'
import { goodFiles } from '@guidon/tests/files/good-files'
import * as hostile from '@guidon/tests/files/hostile-files'
import { samplePdf, streamOf } from '@guidon/tests/files/made-pdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkFile } from './check-file.ts'
import { checkers } from './checkers.ts'
import { clamd } from './clamd.ts'

const MB = 1024 * 1024
/** Less than the 60 seconds for which the web app waits for the verdict. */
const TIMEOUT_MS = 50_000
const MAX_GROWTH_BYTES = 300 * MB

let folder: string
let virusScanner: Clamd
let checker: Awaited<ReturnType<typeof startChecker>>
const times = new Map<string, number[]>()
let growth = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guidon-check-'))
  virusScanner = await startClamd()
  checker = await startChecker()
})
afterAll(async () => {
  await virusScanner.close()
  await checker.close()
  await rm(folder, { recursive: true })
  const lines = [...times].map(([kind, all]) => {
    const [median, longest] = [all.toSorted((a, b) => a - b)[all.length >> 1]!, Math.max(...all)]
    return `${kind}: ${all.length} files, ${Math.round(median)} ms, at most ${Math.round(longest)} ms`
  })
  process.stdout.write(`${lines.join('\n')}\nmemory grew by ${Math.round(growth / MB)} MB\n`)
})

const checks = () => ({
  checkers: checkers([checker.address]),
  scanner: clamd(virusScanner),
})

/** `label` is for the printed times. */
async function verdictOn(bytes: Buffer, label: string) {
  const path = join(folder, 'upload')
  await writeFile(path, bytes)
  const before = process.memoryUsage().rss
  const sampling = setInterval(() => {
    growth = Math.max(growth, process.memoryUsage().rss - before)
  }, 20)
  const started = performance.now()
  try {
    return await checkFile(path, checks())
  } finally {
    clearInterval(sampling)
    const took = performance.now() - started
    times.set(label, [...(times.get(label) ?? []), took])
    expect(took).toBeLessThan(TIMEOUT_MS)
  }
}

describe('a file is accepted', () => {
  it.each(Object.entries(goodFiles))('%s', async (_, { kind, flags = [], make }) => {
    expect(await verdictOn(await make(), kind)).toMatchObject({ kind, flags })
  })

  it('of 100 MB, but not of one byte more', async () => {
    const scan = Buffer.alloc(refusals.DOCUMENT_MAX_BYTES - 2_000, 'scan')
    const pdf = samplePdf(1, streamOf(scan))
    const padding = Buffer.alloc(refusals.DOCUMENT_MAX_BYTES - pdf.length)
    const whole = Buffer.concat([pdf, padding])
    expect(whole).toHaveLength(100 * MB)
    expect(await verdictOn(whole, 'pdf of 100 MB')).toEqual({ kind: 'pdf', flags: [] })
    // Makes the file one byte longer.
    await truncate(join(folder, 'upload'), refusals.DOCUMENT_MAX_BYTES + 1)
    const verdict = await checkFile(join(folder, 'upload'), checks())
    expect(verdict).toEqual({ refusal: refusals.fileTooLarge })
  })
})

describe.each([
  ['that is neither a PDF nor a JPEG', hostile.ofWrongType, refusals.wrongFileType],
  ['that is damaged or would exhaust its reader', hostile.unreadable, refusals.fileUnreadable],
  ['that is password-protected', hostile.passwordProtected, refusals.fileProtected],
  ['that is infected', hostile.infected, refusals.fileInfected],
  ['that starts a program', hostile.pdfsWithPrograms, refusals.fileHasProgram],
  [
    'that is a photo with something attached',
    hostile.photosWithHiddenContent,
    refusals.photoHasAttachment,
  ],
])('a file is refused %s', (kind, files, refusal) => {
  it.each(Object.entries(files))('%s', async (_, make) => {
    expect(await verdictOn(await make(), kind)).toEqual({ refusal })
  })
})

it('the tests above check enough good and bad files, in bounded memory', () => {
  const { ofWrongType, unreadable, passwordProtected, infected } = hostile
  const all = [ofWrongType, unreadable, passwordProtected, infected].flatMap(Object.keys)
  expect(all.length).toBeGreaterThanOrEqual(60)
  expect(Object.keys(goodFiles).length).toBeGreaterThanOrEqual(10)
  expect(growth).toBeLessThan(MAX_GROWTH_BYTES)
})

it('refuses every file while the scanner is down', async () => {
  await writeFile(join(folder, 'upload'), samplePdf())
  const down = clamd({ address: join(folder, 'nobody.sock') })
  const verdict = await checkFile(join(folder, 'upload'), { ...checks(), scanner: down })
  expect(verdict).toEqual({ refusal: refusals.cannotCheckFiles })
})
