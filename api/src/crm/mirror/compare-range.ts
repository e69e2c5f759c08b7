import { createHash } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import type { Reader } from '../../db/reader.ts'
import { followGone } from '../links/follow-contacts.ts'
import { lockAccountsOf } from '../links/merges.sql.ts'
import type { Crm, Kind, Page, RowOf, Version } from '../port.ts'
import {
  hashOfRange,
  lockComparison,
  MAX_ROWS_IN_RANGE,
  recordComparison,
  versionsInRange,
} from './comparison.sql.ts'
import type { Comparison } from './comparison.sql.ts'
import { findContacts } from './contacts.sql.ts'
import { LONG_OVERLAP_SECONDS } from './cursors.sql.ts'
import { markDeleted } from './rows.sql.ts'
import { storeRows } from './store-rows.ts'
import type { StoreParts } from './store-rows.ts'

const IDS_A_CALL = 1_000

/** If the CRM lacks more of a range's mirrored rows than this, a permission was probably lost: none is deleted. */
const MAX_GONE_SHARE = 0.05
const MAX_GONE_OF_FEW = 5

export interface CompareParts extends StoreParts {
  db: Database
  reader: Pick<Reader, 'read'>
  crm: Pick<Crm, 'versions' | 'wholeRows' | 'rows' | 'usage' | 'readFields'>
}

/**
 * Compares one page of the CRM's ids with the mirror and repairs the mirror. Reads the whole page again if the fields
 * of the kind changed. Returns the number of calls.
 */
export async function compareRange(parts: CompareParts, comparison: Comparison): Promise<number> {
  const { db, reader, crm, log } = parts
  const { kind, afterId, rereading } = comparison
  // Taken before the read, because a check during the read can change the fields.
  const readFields = crm.readFields()
  const reread = rereading ? await crm.wholeRows(kind, afterId) : undefined
  const page = reread ?? (await crm.versions(kind, afterId))
  const lastId = page.full ? page.rows.at(-1)?.id : undefined
  const hash = await reader.read((source) => hashOfRange(source, comparison, lastId))
  const isSame = hash === hashOf(page.rows)
  // From the primary: a row that is only late in the replica is no difference.
  const mirrored = isSame ? new Map() : await versionsInRange(db, comparison, lastId)
  const { wanted, surplus } = isSame ? { wanted: [], surplus: [] } : differences(page, mirrored)
  if (surplus.length > MAX_ROWS_IN_RANGE) {
    log.error({ kind, count: surplus.length }, 'crm: rows missing in the CRM, none deleted')
    surplus.length = 0
  }
  const { rows, calls } = await readRows(crm, kind, reread ? surplus : [...wanted, ...surplus])
  const found = new Set(rows.map(({ id }) => id))
  const gone = surplus.filter((id) => !found.has(id))
  if (gone.length > Math.max(MAX_GONE_OF_FEW, mirrored.size * MAX_GONE_SHARE)) {
    log.error({ kind, count: gone.length }, 'crm: rows missing in the CRM, none deleted')
    gone.length = 0
  }
  await db.transaction().execute(async (tx) => {
    if (!(await lockComparison(tx, readFields, comparison))) return
    if (reread) await storeRows(tx, parts, kind, reread.rows)
    const changed = await storeRows(tx, parts, kind, rows)
    if (kind === 'contact') await lockAccountsOf(tx, gone)
    const before = kind === 'contact' ? await findContacts(tx, gone) : new Map()
    const deleted = await markDeleted(tx, kind, gone)
    if (kind === 'contact') {
      const at = new Date()
      await followGone(
        tx,
        parts.links,
        gone.map((id) => ({ id, at, before: before.get(id) })),
      )
    }
    if (deleted.length > 0) await parts.onChanges?.(tx, kind, deleted)
    const repaired = changed.length + deleted.length
    if (repaired > 0) log.warn({ kind, count: repaired }, 'crm: mirror differed, rows repaired')
    await recordComparison(tx, comparison, lastId, repaired)
  })
  return 1 + calls
}

function hashOf(versions: readonly Version[]): string {
  const text = versions.map(({ id, modifiedAt }) => `${id} ${Date.parse(modifiedAt)}`).join(',')
  return createHash('sha256').update(text).digest('hex')
}

/**
 * `wanted` are missing or older in the mirror, `surplus` only in the mirror. What changed a moment ago is left
 * to the poller.
 */
function differences({ rows, asOf }: Page<Version>, mirrored: Map<string, number>) {
  const settled = Date.parse(asOf) - LONG_OVERLAP_SECONDS * 1000
  const inCrm = new Set(rows.map(({ id }) => id))
  const wanted = rows.filter(({ id, modifiedAt }) => {
    const modified = Date.parse(modifiedAt)
    return modified < settled && (mirrored.get(id) ?? -Infinity) < modified
  })
  return {
    wanted: wanted.map(({ id }) => id),
    surplus: [...mirrored.keys()].filter((id) => !inCrm.has(id)),
  }
}

async function readRows<K extends Kind>(
  crm: Pick<Crm, 'rows'>,
  kind: K,
  ids: readonly string[],
): Promise<{ rows: RowOf[K][]; calls: number }> {
  const rows: RowOf[K][] = []
  let calls = 0
  for (let from = 0; from < ids.length; from += IDS_A_CALL, calls += 1) {
    rows.push(...(await crm.rows(kind, ids.slice(from, from + IDS_A_CALL))))
  }
  return { rows, calls }
}
