import { createHash } from 'node:crypto'
import { asOnlySealer, insertSeal, lastSeal, sealsFrom, settledRows } from '../../db/audit-seals.ts'
import type { Seal, SealedRow } from '../../db/audit-seals.ts'
import type { Database } from '../../db/database.ts'

const BATCH = 1_000
/** No seal covers more; the table refuses it too. */
const SEALED_MOST = 10_000

/** Over the hash before it and every row in order: none can change, go or move without changing it. */
export function chainHash(before: Buffer | undefined, rows: readonly SealedRow[]): Buffer {
  const hash = createHash('sha256').update(before ?? Buffer.alloc(32))
  for (const { text } of rows) hash.update(createHash('sha256').update(text).digest())
  return hash.digest()
}

/** Seals what has settled, batch by batch; answers the newest seal if it added one. */
export async function sealEvents(db: Database): Promise<Seal | undefined> {
  return asOnlySealer(db, async (tx) => {
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
  /** Settled, but not sealed yet. */
  unsealed: number
  /** Hash of the newest seal; one noted elsewhere shows whether the end was cut off. */
  head: string
  /** What does not fit, in words; undefined where all of it does. */
  broken: string | undefined
}

/** Walks the whole log and holds it against its seals. */
export async function verifyChain(db: Database): Promise<ChainReport> {
  let before: Seal | undefined
  let events = 0
  let seals = 0
  const report = (broken: string | undefined, unsealed = 0): ChainReport => {
    return { seals, events, unsealed, head: before?.hash.toString('hex') ?? '', broken }
  }
  for (;;) {
    const page = await sealsFrom(db, (before?.number ?? 0) + 1, BATCH)
    if (page.length === 0) break
    for (const seal of page) {
      const expected = (before?.number ?? 0) + 1
      if (seal.number !== expected) return report(`seal ${expected} is missing`)
      if (seal.events < 1 || seal.events > SEALED_MOST) {
        return report(`seal ${seal.number} is forged: it covers ${seal.events} events`)
      }
      const rows = await settledRows(db, before, seal.events)
      const ends = rows.at(-1)
      // Also where a seal reaches into the future, to hide what is logged later: nothing ends there.
      const isWhole =
        rows.length === seal.events &&
        ends?.transaction === seal.untilTransaction &&
        ends.id === seal.untilId
      if (!isWhole || !chainHash(before?.hash, rows).equals(seal.hash)) {
        return report(
          `seal ${seal.number} is forged, or an event under it was changed, removed, added or moved`,
        )
      }
      before = seal
      seals += 1
      events += rows.length
    }
  }
  return report(undefined, (await settledRows(db, before, BATCH)).length)
}
