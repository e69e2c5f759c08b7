import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureBaseImages } from './base.ts'
import { buildah } from './buildah.ts'
import { changedSince } from './changed-files.ts'
import { startImageStack } from './image-stack.ts'
import { buildImage, IMAGE, imageBytes, findUnwantedTools } from './image.ts'
import { runJourneys } from './journeys.ts'
import { unmetRequirement } from './required-tools.ts'

/** Builds the image, runs the product from it as a container engine would, and prints the results. */

const MAX_IMAGE_BYTES = 600_000_000
const MAX_START_SECONDS = 30

const secondsSince = (from: number) => Math.round((performance.now() - from) / 100) / 10
let failures = 0
function report(name: string, value: string | number, ok = true): void {
  if (!ok) failures += 1
  console.log(`${ok ? '      ' : 'FAILED'} ${name}: ${value}`)
}

const unmet = unmetRequirement()
if (unmet) {
  console.error(unmet)
  process.exit(1)
}

const started = performance.now()
report('base images', `${ensureBaseImages()} in ${secondsSince(started)} s`)
const buildStarted = performance.now()
buildImage()
report('build', `${secondsSince(buildStarted)} s`)
const bytes = imageBytes()
report('size', `${Math.round(bytes / 1e6)} MB uncompressed`, bytes <= MAX_IMAGE_BYTES)

const container = buildah(['from', IMAGE])
const dataDir = mkdtempSync(join(tmpdir(), 'guidon-image-'))
try {
  const root = resolve(buildah(['mount', container]))
  const unwanted = findUnwantedTools(root)
  report('unwanted tools', unwanted.join(', ') || 'none', unwanted.length === 0)
  const mountedAt = new Date()

  const stack = await startImageStack(root, dataDir)
  try {
    report('migrate', `${stack.migrateSeconds} s`)
    const startSeconds = stack.startSeconds
    report('start of serve and work', `${startSeconds} s`, startSeconds <= MAX_START_SECONDS)
    for (const [name, privileges] of Object.entries(stack.processes)) {
      const [user, writable] = name === 'checker' ? [10002, '/tmp, /run/checker'] : [10001, '/tmp']
      report(`${name}: user`, privileges.uid, privileges.uid === user)
      report(`${name}: capabilities`, privileges.capabilities, /^0+$/.test(privileges.capabilities))
      report(
        `${name}: no new privileges`,
        privileges.noNewPrivileges ? 'yes' : 'no',
        privileges.noNewPrivileges,
      )
      report(
        `${name}: may write to`,
        privileges.writable.join(', '),
        privileges.writable.join(', ') === writable,
      )
    }
    const isCorrect = await stack.isHealthCheckCorrect()
    report('health check is correct', isCorrect ? 'yes' : 'no', isCorrect)
  } finally {
    await stack.stop()
  }
  report('journeys in Chromium (sign-in, uploads)', ...(await runJourneys(root)))
  const changed = changedSince(root, mountedAt)
  report('writes outside /tmp', changed.join(', ') || 'none', changed.length === 0)
} finally {
  buildah(['rm', container])
  rmSync(dataDir, { recursive: true, force: true })
}
console.log(failures === 0 ? 'The image passed all checks.' : `Failed checks: ${failures}`)
process.exitCode = failures === 0 ? 0 : 1
