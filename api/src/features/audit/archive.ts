import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import { changeSchema } from '../../db/locks.ts'
import { UsageError } from '../../platform/command.ts'
import { archiveName, readArchive, writeArchive } from './archive-file.ts'
import {
  archives,
  dropMonth,
  insertArchive,
  lastSealOf,
  oldestMonth,
  sealOf,
} from './archives.sql.ts'
import type { Archive } from './archives.sql.ts'
import { chainHash } from './chain-hash.ts'
import { rowsUntil, sealsFrom, settledRows } from './seals.sql.ts'
import type { Seal } from './seals.sql.ts'

/** Younger months stay in the log, where staff and the owners of accounts see them. */
export const ARCHIVE_AGE_MONTHS = 12

const SEALS_AT_ONCE = 1_000
/** Limit on the archived events that stay in the log: far more than the events of one seal. */
export const STILL_IN_LOG_MAX = 100_000

/** Seals with their events, from the one after `previous` to `last`. */
async function* sealedRows(db: Database, previous: Seal | undefined, last: number) {
  for (;;) {
    const page = await sealsFrom(db, (previous?.number ?? 0) + 1, SEALS_AT_ONCE)
    if (page.length === 0) return
    for (const seal of page) {
      if (seal.number > last) return
      yield { seal, rows: await settledRows(db, previous, seal.events) }
      previous = seal
    }
  }
}

/** A month without events has no file. */
export interface Archived {
  month: string
  file: string | undefined
  events: number
  sha256: string | undefined
}

/**
 * Writes the oldest month to a file, verifies the file, and drops the month. Needs the rights of the owner of the
 * tables. The file has all events up to the seal of the month's last event: these seals can also cover some events of
 * the next month, which stay in the log too.
 */
export async function archiveOldestMonth(
  db: Database,
  folder: string,
  months = ARCHIVE_AGE_MONTHS,
): Promise<Archived> {
  const oldest = await oldestMonth(db, months)
  if (!oldest?.isOldEnough) {
    throw new UsageError(`No month of the audit log ended ${months} months ago or earlier.`)
  }
  const { month } = oldest
  const { events: inMonth, seal: last } = await lastSealOf(db, month)
  if (inMonth === 0) {
    await changeSchema(db, (tx) => dropMonth(tx, month))
    return { month, file: undefined, events: 0, sha256: undefined }
  }
  if (last === null) {
    throw new UsageError(`${month} has events without a seal. Check that a worker runs.`)
  }
  const newestArchive = (await archives(db)).at(-1)
  const previous = newestArchive && sealOf(newestArchive)
  const untilNumber = Math.max(last, previous?.number ?? 0)
  const [until] = await sealsFrom(db, untilNumber, 1)
  if (!until) throw new UsageError(`Seal ${untilNumber} is missing.`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, archiveName(month))
  const { sha256, events } = await writeVerified(file, db, previous, until)
  // From here on the file is kept, whatever happens: the month may be dropped although its transaction reports an error.
  await changeSchema(db, async (tx) => {
    if (!(await dropMonth(tx, month, until))) {
      throw new UsageError(`${month} got an event meanwhile. Move the file, and try again.`)
    }
    const { number: untilSeal, untilTransaction, untilId, hash } = until
    const leftHash = chainHash(undefined, await rowsUntil(tx, until, STILL_IN_LOG_MAX))
    const row = { month, untilSeal, untilTransaction, untilId, hash, events, leftHash }
    await insertArchive(tx, { ...row, fileSha256: sha256 })
  })
  return { month, file, events, sha256: sha256.toString('hex') }
}

/** Writes the file and reads it again. Removes a file that does not match the seals. */
async function writeVerified(file: string, db: Database, previous: Seal | undefined, until: Seal) {
  const sha256 = await writeArchive(file, sealedRows(db, previous, until.number))
  const { broken, events, ...content } = await readArchive(file, previous?.hash)
  const isWhole = content.sha256.equals(sha256) && content.hash?.equals(until.hash)
  if (broken === undefined && isWhole) return { sha256, events }
  await rm(file)
  throw new UsageError(`The month was not archived: ${broken ?? 'seals are missing'}.`)
}

/** Compares the files of all archives with what was recorded. Returns what does not match. */
export async function verifyArchives(db: Database, folder: string): Promise<string | undefined> {
  let previous: Archive | undefined
  for (const archive of await archives(db)) {
    const name = archiveName(archive.month)
    const content = await readArchive(join(folder, name), previous?.hash)
    if (!content.sha256.equals(archive.fileSha256)) return `${name} was changed`
    if (content.broken !== undefined) return `${name}: ${content.broken}`
    if (!content.hash?.equals(archive.hash)) return `${name} does not end with the recorded seal`
    previous = archive
  }
  return undefined
}
