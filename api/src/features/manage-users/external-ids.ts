import { folderRefused } from '@guidon/contract/folders'
import { linkImpossible } from '@guidon/contract/links'
import { contactTaken, contactUnknown } from '@guidon/contract/manage-users'
import type { ManagedUser } from '@guidon/contract/manage-users'
import { longContactId } from '../../crm/links/contact-id.ts'
import type { Links } from '../../crm/links/links.ts'
import { lockContact } from '../../crm/mirror/contacts.sql.ts'
import { recordEvent } from '../../db/audit-events.ts'
import type { Tx } from '../../db/database.ts'
import { areOfOthers, lockFolder, setFolderId } from '../../files/folders/folders.sql.ts'
import { refuse } from '../../http/refuse.ts'

export interface ExternalIds {
  salesforceId?: string | undefined
  boxFolderId?: string | undefined
}

export interface ExternalIdParts {
  links: Pick<Links, 'answer' | 'ask' | 'open'>
}

/**
 * Links the account if the rule says yes; else the link waits in Links to confirm. The contact is read from the mirror,
 * because only workers call the CRM.
 */
export async function linkToContact(
  { links }: ExternalIdParts,
  tx: Tx,
  actorId: string,
  { id: userId, salesforceId: before }: ManagedUser,
  given: string,
): Promise<void> {
  const contactId = longContactId(given)
  if (contactId === before) return
  const contact = await lockContact(tx, contactId)
  if (!contact) throw refuse(contactUnknown)
  const rule = await links.answer(tx, userId, contact)
  const link = { userId, contactId, origin: 'staff' } as const
  if (rule.answer === 'yes') return links.open(tx, link, { actorId })
  if (rule.answer === 'ask') return links.ask(tx, link, rule.question)
  throw refuse(rule.because === 'linkedElsewhere' ? contactTaken : linkImpossible(rule.because))
}

/** A worker has opened the folder before. Refuses one of another account, because a folder has the files of one veteran. */
export async function setFolder(
  tx: Tx,
  actorId: string,
  { id: userId, boxFolderId: before }: ManagedUser,
  folder: string,
): Promise<void> {
  if (folder === before) return
  await lockFolder(tx, folder)
  if (await areOfOthers(tx, userId, [folder])) throw refuse(folderRefused('taken'))
  await setFolderId(tx, userId, folder)
  await recordEvent(tx, {
    event: 'box_folder_changed',
    actorId,
    subjectId: userId,
    details: { folder, before: before ?? 'none' },
  })
}
