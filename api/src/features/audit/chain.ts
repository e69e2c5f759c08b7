import { createHash } from 'node:crypto'
import { withSealLock, insertSeal, lastSeal, sealsFrom, settledRows } from '../../db/audit-seals.ts'
import type { Seal, SealedRow } from '../../db/audit-seals.ts'
import type { Database } from '../../db/database.ts'

const BATCH = 1_000
/** A trigger of the table enforces the same limit. */
const EVENTS_PER_SEAL_MAX = 10_000

/** Covers the previous hash and every row in order, so that no row can be changed, removed or moved unnoticed. */
export function chainHash(previous: Buffer | undefined, rows: readonly SealedRow[]): Buffer {
  const hash = createHash('sha256').update(previous ?? Buffer.alloc(32))
  for (const { text } of rows) hash.update(createHash('sha256').update(text).digest())
  return hash.digest()
}

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
  unsealed: number
  /** Hash of the newest seal. If the last `audit: sealed` in the process log has another one, seals were removed. */
  head: string
  /** What does not match, if anything. */
  broken: string | undefined
}

export async function verifyChain(db: Database): Promise<ChainReport> {
  let previous: Seal | undefined
  let events = 0
  let seals = 0
  const report = (broken: string | undefined, unsealed = 0): ChainReport => {
    return { seals, events, unsealed, head: previous?.hash.toString('hex') ?? '', broken }
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
