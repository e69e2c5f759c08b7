import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DOCUMENT_MAX_BYTES } from '@guidon/contract/document-refusals'
import { freeBytes, writable } from '../../files/writable.ts'
import { withDatabase } from '../schema.ts'
import { inMegabytes, ok, problem, warning } from './finding.ts'
import type { Examined, Subject } from './finding.ts'
import { serverTime } from './inspect.sql.ts'

/** Two clocks that differ by less are the same, because a response takes a while. */
const WARN_SECONDS = 5
/** Salesforce refuses assertions, and codes expire too early, if the clocks differ by more. */
const PROBLEM_SECONDS = 300

const HTTP_TIMEOUT_MS = 5_000

/** The time by which a clock is behind ours, in seconds. */
async function behind(now: () => number, read: () => Promise<number>): Promise<number | undefined> {
  const before = now()
  const theirs = await read().catch(() => NaN)
  const difference = ((before + now()) / 2 - theirs) / 1000
  return Number.isNaN(difference) ? undefined : difference
}

/** Every HTTP response has a date, also that of an error. */
async function dateOf(url: string): Promise<number> {
  const { headers } = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(HTTP_TIMEOUT_MS),
  })
  // It has whole seconds, rounded down.
  return Date.parse(headers.get('date') ?? '') + 500
}

function clocks(examined: Examined): Record<string, () => Promise<number>> {
  const { SALESFORCE_LOGIN_URL: salesforce } = examined.config
  return {
    ...(!examined.problems.has('DATABASE_URL') && {
      'the database': async () => (await withDatabase(examined, serverTime)).getTime(),
    }),
    ...(salesforce && { Salesforce: () => dateOf(salesforce) }),
  }
}

export const clock: Subject = {
  name: 'clock',
  needs: [],
  check: async (examined) => {
    const compared = await Promise.all(
      Object.entries(clocks(examined)).map(
        async ([name, read]) => [name, await behind(examined.now, read)] as const,
      ),
    )
    const known = compared.flatMap(([name, seconds]) =>
      seconds === undefined ? [] : [{ name, seconds }],
    )
    const worst = known.toSorted((a, b) => Math.abs(b.seconds) - Math.abs(a.seconds))[0]
    if (!worst)
      return problem('Not compared, because neither the database nor Salesforce responds.')
    const seconds = Math.round(Math.abs(worst.seconds))
    const found = `This machine is ${seconds} s ${worst.seconds > 0 ? 'ahead of' : 'behind'} ${worst.name}`
    const advice = 'Set the clock by NTP, on all machines.'
    if (seconds > PROBLEM_SECONDS) return problem(`${found}. ${advice}`)
    if (seconds > WARN_SECONDS) return warning(`${found}. ${advice}`)
    return ok(`It agrees with ${known.map(({ name }) => name).join(' and ')}.`)
  },
}

/** Room for a few uploads of the largest size at the same time. */
const LOW_BYTES = 3 * DOCUMENT_MAX_BYTES

/** The API creates the folder when it starts. */
const nearestExisting = (folder: string): string =>
  existsSync(folder) ? folder : nearestExisting(dirname(folder))

export const disk: Subject = {
  name: 'disk',
  needs: ['UPLOAD_DIR'],
  check: async ({ config }) => {
    const folder = nearestExisting(config.UPLOAD_DIR)
    const canWrite = await writable(folder).then(
      () => true,
      () => false,
    )
    if (!canWrite)
      return problem(`${folder} is not writable. Correct its owner, or set UPLOAD_DIR.`)
    const free = await freeBytes(folder)
    const found = `${inMegabytes(free)} are free for uploads`
    const advice = 'Free space, or choose another UPLOAD_DIR.'
    if (free < DOCUMENT_MAX_BYTES) return problem(`${found}. ${advice}`)
    if (free < LOW_BYTES) return warning(`${found}. ${advice}`)
    return ok(`${found}.`)
  },
}
