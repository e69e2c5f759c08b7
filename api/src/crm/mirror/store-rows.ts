import type { Stage } from '@guidon/contract/stages'
import { recordEvent } from '../../db/audit-events.ts'
import { lockContactAndFindAccounts } from '../../db/crm-contacts.ts'
import { requireUsers } from '../../db/crm-cursors.ts'
import { accountsOfMerged, lockAccountsOf, mergedInto } from '../../db/crm-merges.ts'
import { upsertRows } from '../../db/crm-rows.ts'
import type { RowChange } from '../../db/crm-rows.ts'
import type { Tx } from '../../db/database.ts'
import { erasedContacts } from '../../db/erasures.ts'
import { setSalesforceId } from '../../db/users.ts'
import type { Log } from '../../platform/log.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { ContactRow, Kind, RowOf } from '../port.ts'

export type OnChanges = (tx: Tx, kind: Kind, changes: readonly RowChange[]) => Promise<void>

export interface StoreParts {
  outbox: Pick<Outbox, 'add'>
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
  const contacts = rows as readonly ContactRow[]
  const merged = contacts
    .filter(({ deleted, masterId }) => deleted && masterId !== null)
    .map(({ id }) => id)
  // Merged earlier, when the mirror did not have the surviving contact yet.
  merged.push(...(await mergedInto(tx, idsOf(contacts))))
  if (merged.length > 0) await lockAccountsOf(tx, merged)
  const changed = await storeChanges(tx, parts, 'contact', contacts)
  if (merged.length > 0) await followMerges(tx, parts, merged, new Set(changed))
  const managers = contacts.map(({ caseManagerId }) => caseManagerId).filter((id) => id !== null)
  if (managers.length > 0) await requireUsers(tx, [...new Set(managers)])
  return changed
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

/**
 * Staff merged contacts: their accounts are now linked to the contact that survived. If it is not certain that it
 * belongs to the same person, staff decide.
 */
async function followMerges(
  tx: Tx,
  { outbox, log }: StoreParts,
  ids: readonly string[],
  changed: ReadonlySet<string>,
): Promise<void> {
  const merges = await accountsOfMerged(tx, ids)
  const erased = await erasedContacts(
    tx,
    merges.map(({ into }) => into),
  )
  for (const { userId, unlinkedFrom, from, into } of merges) {
    const holders = await lockContactAndFindAccounts(tx, into)
    // The mirror does not have the surviving contact yet, or it is deleted.
    if (!holders) continue
    const mayBeOtherPerson =
      holders.length > 0 ||
      erased.has(into) ||
      into === unlinkedFrom ||
      merges.some((other) => other.into === into && other.userId !== userId)
    if (mayBeOtherPerson) {
      // Once, although several passes read the same change.
      if (changed.has(from) || changed.has(into)) {
        log.warn({ userId, contactId: into }, 'crm: merged contact has another account')
      }
      continue
    }
    await setSalesforceId(tx, userId, into, 'linked')
    await recordEvent(tx, {
      event: 'account_linked',
      subjectId: userId,
      details: { contact: into, before: from },
    })
    // The surviving contact may have no id of an account yet.
    await outbox.add(tx, { userId, kind: 'contact', entityId: userId })
  }
}
