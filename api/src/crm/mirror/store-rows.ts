import type { Stage } from '@guidon/contract/stages'
import type { Tx } from '../../db/database.ts'
import type { Log } from '../../platform/log.ts'
import { followGone } from '../links/follow-contacts.ts'
import { clearContactGone } from '../links/links.sql.ts'
import type { Links } from '../links/links.ts'
import { linkedAndMergedInto, lockAccountsOf } from '../links/merges.sql.ts'
import type { ContactRow, Kind, RowOf } from '../port.ts'
import { findContacts } from './contacts.sql.ts'
import { requireUsers } from './cursors.sql.ts'
import { upsertRows } from './rows.sql.ts'
import type { RowChange } from './rows.sql.ts'

export type OnChanges = (tx: Tx, kind: Kind, changes: readonly RowChange[]) => Promise<void>

export interface StoreParts {
  links: Links
  /** Of claims, in their order. */
  stages: readonly Stage[]
  /** Called in the transaction that changed the rows. */
  onChanges?: OnChanges
  log: Log
}

/** Stores rows of the CRM in the mirror, with what follows from them. Returns the ids of the changed rows. */
export async function storeRows<K extends Kind>(
  tx: Tx,
  parts: StoreParts,
  kind: K,
  rows: readonly RowOf[K][],
): Promise<string[]> {
  if (kind !== 'contact') return storeChanges(tx, parts, kind, rows)
  return storeContacts(tx, parts, rows as readonly ContactRow[])
}

async function storeContacts(tx: Tx, parts: StoreParts, contacts: readonly ContactRow[]) {
  const gone = contacts.filter(({ deleted }) => deleted)
  // Merged earlier, when the mirror did not have the surviving contact yet, or the rule said no.
  const earlier = await linkedAndMergedInto(tx, idsOf(contacts))
  const ids = [...idsOf(gone), ...earlier]
  if (ids.length > 0) {
    const survivors = gone.map(({ masterId }) => masterId).filter((id) => id !== null)
    await lockAccountsOf(tx, [...ids, ...survivors, ...(earlier.length > 0 ? idsOf(contacts) : [])])
  }
  const before = await findContacts(tx, ids)
  const changed = new Set(await storeChanges(tx, parts, 'contact', contacts))
  await clearContactGone(
    tx,
    idsOf(contacts.filter(({ id, deleted }) => !deleted && changed.has(id))),
  )
  const changes = gone
    .filter(({ id }) => changed.has(id))
    .map(({ id, modifiedAt }) => ({ id, at: new Date(modifiedAt), before: before.get(id) }))
  await followGone(tx, parts.links, [...changes, ...earlier.map((id) => ({ id }))])
  const managers = contacts.map(({ caseManagerId }) => caseManagerId).filter((id) => id !== null)
  if (managers.length > 0) await requireUsers(tx, [...new Set(managers)])
  return [...changed]
}

async function storeChanges<K extends Kind>(
  tx: Tx,
  { stages, onChanges }: StoreParts,
  kind: K,
  rows: readonly RowOf[K][],
): Promise<string[]> {
  const changes = await upsertRows(tx, kind, rows, stages)
  if (changes.length > 0) await onChanges?.(tx, kind, changes)
  return idsOf(changes)
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
