import { contactTaken, contactUnknown, folderTaken } from '@guidon/contract/manage-users'
import type { ManagedUser } from '@guidon/contract/manage-users'
import type { Outbox } from '../../crm/outbox/outbox.ts'
import { recordEvent } from '../../db/audit-events.ts'
import { lockContactAndFindAccounts } from '../../db/crm-contacts.ts'
import type { Tx } from '../../db/database.ts'
import { setBoxFolderId, setSalesforceId } from '../../db/users.ts'
import { refuse } from '../../http/refuse.ts'
import { longContactId } from './contact-id.ts'
import { isFolderOfAnother } from './managed-users.sql.ts'

export interface ExternalIds {
  salesforceId?: string | undefined
  boxFolderId?: string | undefined
}

export interface ExternalIdParts {
  outbox: Pick<Outbox, 'add'>
}

/** Checks the contact in the mirror, because only workers call the CRM. The outbox then updates the CRM. */
export async function linkToContact(
  { outbox }: ExternalIdParts,
  tx: Tx,
  actorId: string,
  { id: userId, salesforceId: before }: ManagedUser,
  given: string,
): Promise<void> {
  const contact = longContactId(given)
  if (contact === before) return
  const holders = await lockContactAndFindAccounts(tx, contact)
  if (!holders) throw refuse(contactUnknown)
  if (holders.some((holder) => holder !== userId)) throw refuse(contactTaken)
  await setSalesforceId(tx, userId, contact, 'linked')
  await recordEvent(tx, {
    event: 'account_linked',
    actorId,
    subjectId: userId,
    details: { contact, before: before ?? 'none' },
  })
  await outbox.add(tx, { userId, kind: 'contact', entityId: userId })
}

/** For Box, 007 and 7 are the same folder. */
const withoutZeros = (id: string) => id.replace(/^0+(?=\d)/, '')

/** Refuses a folder of another account, because a folder has the files of one veteran. */
export async function setFolder(
  tx: Tx,
  actorId: string,
  { id: userId, boxFolderId: before }: ManagedUser,
  given: string,
): Promise<void> {
  const folder = withoutZeros(given)
  if (folder === before) return
  if (await isFolderOfAnother(tx, folder, userId)) throw refuse(folderTaken)
  await setBoxFolderId(tx, userId, folder)
  await recordEvent(tx, {
    event: 'box_folder_changed',
    actorId,
    subjectId: userId,
    details: { folder, before: before ?? 'none' },
  })
}
