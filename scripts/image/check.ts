import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureBases } from './base.ts'
import { buildah } from './buildah.ts'
import { buildImage, IMAGE, imageBytes, strangersIn } from './image.ts'
import { journeysPass } from './journey.ts'
import { startProduct } from './product.ts'
import { missingTools } from './tools.ts'
import { changedSince } from './writes.ts'

/** Builds the image, runs the product from it as an engine would, and prints what it saw. */

const MOST_BYTES = 600_000_000
const LONGEST_START_SECONDS = 30

const seconds = (from: number) => Math.round((performance.now() - from) / 100) / 10
const figures: { what: string; saw: string; ok: boolean }[] = []
function figure(what: string, saw: string | number, ok = true): void {
  figures.push({ what, saw: String(saw), ok })
  console.log(`${ok ? '      ' : 'MISSED'} ${what}: ${saw}`)
}

const missing = missingTools()
if (missing) {
  console.error(missing)
  process.exit(1)
}

const began = performance.now()
figure('base images', `${ensureBases()} in ${seconds(began)} s`)
const building = performance.now()
buildImage()
figure('build', `${seconds(building)} s`)
const bytes = imageBytes()
figure('size', `${Math.round(bytes / 1e6)} MB uncompressed`, bytes <= MOST_BYTES)

const container = buildah(['from', IMAGE])
const data = mkdtempSync(join(tmpdir(), 'guidon-image-'))
try {
  const root = resolve(buildah(['mount', container]))
  const strangers = strangersIn(root)
  figure('tools that do not belong there', strangers.join(', ') || 'none', strangers.length === 0)
  const mounted = new Date()

  const product = await startProduct(root, data)
  try {
    figure('migrate', `${product.migrateSeconds} s`)
    const start = product.startSeconds
    figure('start of serve and work', `${start} s`, start <= LONGEST_START_SECONDS)
    for (const [name, seen] of Object.entries(product.processes)) {
      figure(`${name}: user`, seen.uid, seen.uid === 10001)
      figure(`${name}: capabilities`, seen.capabilities, /^0+$/.test(seen.capabilities))
      figure(
        `${name}: no new privileges`,
        seen.noNewPrivileges ? 'yes' : 'no',
        seen.noNewPrivileges,
      )
      figure(`${name}: may write to`, seen.writable.join(', '), seen.writable.join() === '/tmp')
    }
    const isHealthy = await product.isHealthy()
    figure('health check tells who answers and who does not', isHealthy ? 'yes' : 'no', isHealthy)
  } finally {
    await product.stop()
  }
  figure('journeys in Chromium (signing in, uploading)', ...(await journeysPass(root)))
  const changed = changedSince(root, mounted)
  figure('writes outside /tmp', changed.join(', ') || 'none', changed.length === 0)
} finally {
  buildah(['rm', container])
  rmSync(data, { recursive: true, force: true })
}
const missed = figures.filter(({ ok }) => !ok)
console.log(missed.length === 0 ? 'The image holds.' : `Missed: ${missed.length}`)
process.exitCode = missed.length === 0 ? 0 : 1
