import { setTimeout as delay } from 'node:timers/promises'
import { login, verifyLogin } from '@guidon/contract/auth'
import { register } from '@guidon/contract/sign-up'
import { slowUploads } from '../../../support/attacks/slow-uploads.ts'
import { stalledBodies } from '../../../support/attacks/stalled-bodies.ts'
import { forwardedFor } from '../../../support/attacks/target.ts'
import type { Target } from '../../../support/attacks/target.ts'
import type { Make } from '../../../support/files/good-files.ts'
import { bombs } from '../../../support/files/hostile-bombs.ts'
import { samplePdf } from '../../../support/files/made-pdf.ts'
import { uploadFlood } from './upload-flood.ts'

/** The number of responses by status; 0 stands for a request without a response. */
export type Statuses = Record<number, number>

interface Attack {
  /** Whether the server must refuse every request of the attack. */
  mustBeRefused: boolean
  run(target: Target, durationMs: number): Promise<Statuses>
}

const UNLIMITED = 1_000_000

const floodOf =
  (make: Make, concurrency: number): Attack['run'] =>
  async (target, durationMs) => {
    const file = await make()
    return uploadFlood(target, () => file, { count: UNLIMITED, concurrency, durationMs })
  }

/** Almost as long as a JSON body may be; a backtracking pattern starts again at each dot. */
const DOTS = `a@${'.'.repeat(65_000)}@`

async function slowPatterns(target: Target, durationMs: number): Promise<Statuses> {
  const deadline = Date.now() + durationMs
  const statuses: Statuses = {}
  const bodies = [
    [login.path, { email: DOTS, password: 'xxxxxx' }],
    [register.path, { email: DOTS, password: 'x' }],
    [verifyLogin.path, { email: DOTS, code: '000000' }],
  ] as const
  const sendRepeatedly = async (n: number) => {
    for (let turn = n; Date.now() < deadline; turn += 1) {
      const [path, body] = bodies[turn % bodies.length]!
      const { status } = await fetch(target.base + path, {
        method: 'POST',
        headers: {
          origin: target.origin,
          'content-type': 'application/json',
          cookie: 'guidon-challenge=x',
          ...forwardedFor(target),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(durationMs + 60_000),
      }).catch(() => ({ status: 0 }))
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 4 }, (_, n) => sendRepeatedly(n)))
  return statuses
}

/** Ten uploads that almost stop after 95 MB, restarted when they are cut off, and sign-ins that stall in their body. */
async function slowBodies(target: Target, durationMs: number): Promise<Statuses> {
  const deadline = Date.now() + durationMs
  const statuses: Statuses = {}
  while (Date.now() < deadline) {
    const slow = await slowUploads(target, { count: 10, megabytes: 95, everyMs: 15_000 })
    const stalled = stalledBodies(target, { count: 20 })
    while (slow.open() > 0 && Date.now() < deadline) await delay(100)
    for (const { status } of slow.uploads) {
      const received = status() ?? 0
      statuses[received] = (statuses[received] ?? 0) + 1
    }
    slow.stop()
    stalled.stop()
  }
  return statuses
}

export const attacks: Readonly<Record<string, Attack>> = {
  'emails of 65,000 dots': { mustBeRefused: true, run: slowPatterns },
  'JPEGs of 2,000 scans': { mustBeRefused: true, run: floodOf(bombs['a JPEG of 2,000 scans']!, 4) },
  'slow and stalled bodies': { mustBeRefused: true, run: slowBodies },
  'PDFs of 350,000 streams': {
    mustBeRefused: true,
    run: floodOf(bombs['a PDF of 350,000 streams in one']!, 3),
  },
  'PDFs whose table unpacks to 200 MB': {
    mustBeRefused: true,
    run: floodOf(bombs['a PDF whose cross-reference table decompresses to 200 MB']!, 24),
  },
  'an endless flood of small files': { mustBeRefused: false, run: floodOf(samplePdf, 5) },
}
