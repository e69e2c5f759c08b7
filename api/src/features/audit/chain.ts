import type { Database } from '../../db/database.ts'
import { STILL_IN_LOG_MAX } from './archive.ts'
import { archives, sealOf } from './archives.sql.ts'
import { chainHash } from './chain-hash.ts'
import {
  withSealLock,
  insertSeal,
  lastSeal,
  rowsUntil,
  sealsFrom,
  settledRows,
} from './seals.sql.ts'
import type { Seal } from './seals.sql.ts'

const BATCH = 1_000
/** A trigger of the table enforces the same limit. */
const EVENTS_PER_SEAL_MAX = 10_000

/** Seals, in batches, the events whose order is final (`settledRows`). Returns the newest seal if it added one. */
export async function sealEvents(db: Database): Promise<Seal | undefined> {
  return withSealLock(db, async (tx) => {
    let newest = await lastSeal(tx)
    let added: Seal | undefined
    for (;;) {
      const rows = await settledRows(tx, newest, BATCH)
      const last = rows.at(-1)
      if (!last) return added
      added = {
        number: (newest?.number ?? 0) + 1,
        untilTransaction: last.transaction,
        untilId: last.id,
        events: rows.length,
        hash: chainHash(newest?.hash, rows),
      }
      await insertSeal(tx, added)
      newest = added
    }
  })
}

export interface ChainReport {
  seals: number
  events: number
  /** Events in archives, which only their files can verify. */
  archived: number
  /** Events that could have a seal and have none, counted up to the size of a batch; 0 if the chain is broken. */
  unsealed: number
  /** Hash of the newest seal. If the last `audit: sealed` in the process log has another one, seals were removed. */
  head: string
  /** What does not match, if anything. */
  broken: string | undefined
}

/** Verifies the log from the end of the newest archive, or from its start if there is none. */
export async function verifyChain(db: Database): Promise<ChainReport> {
  const archived = await archives(db)
  const newest = archived.at(-1)
  let previous: Seal | undefined = newest && sealOf(newest)
  let events = 0
  let seals = 0
  const report = (broken: string | undefined, unsealed = 0): ChainReport => {
    const head = previous?.hash.toString('hex') ?? ''
    const inArchives = archived.reduce((sum, archive) => sum + archive.events, 0)
    return { seals, events, archived: inArchives, unsealed, head, broken }
  }
  if (newest) {
    const [seal] = await sealsFrom(db, newest.untilSeal, 1)
    if (seal?.number !== newest.untilSeal || !seal.hash.equals(newest.hash)) {
      return report(
        `seal ${newest.untilSeal}, at which the newest archive ends, is missing or forged`,
      )
    }
    // Events that the newest archive has, and that also stayed in the log.
    const stillInLog = await rowsUntil(db, seal, STILL_IN_LOG_MAX)
    if (!chainHash(undefined, stillInLog).equals(newest.leftHash)) {
      return report(`an event before seal ${newest.untilSeal} was changed, removed or added`)
    }
  }
  for (;;) {
    const page = await sealsFrom(db, (previous?.number ?? 0) + 1, BATCH)
    if (page.length === 0) break
    for (const seal of page) {
      const expected = (previous?.number ?? 0) + 1
      if (seal.number !== expected) return report(`seal ${expected} is missing`)
      if (seal.events < 1 || seal.events > EVENTS_PER_SEAL_MAX) {
        return report(`seal ${seal.number} is forged: it covers ${seal.events} events`)
      }
      const rows = await settledRows(db, previous, seal.events)
      const last = rows.at(-1)
      // Also detects a seal that ends in the future, which would hide events that are logged later.
      const matchesRows =
        rows.length === seal.events &&
        last?.transaction === seal.untilTransaction &&
        last.id === seal.untilId
      if (!matchesRows || !chainHash(previous?.hash, rows).equals(seal.hash)) {
        return report(
          `seal ${seal.number} is forged, or an event under it was changed, removed, added or moved`,
        )
      }
      previous = seal
      seals += 1
      events += rows.length
    }
  }
  return report(undefined, (await settledRows(db, previous, BATCH)).length)
}
