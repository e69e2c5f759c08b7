import type { Crm } from '../../crm/port.ts'
import type { OutboxEntry } from '../../db/crm-outbox.ts'
import type { Tx } from '../../db/database.ts'
import { findFolders } from '../../db/users.ts'
import { findForCrm, setCrmId } from './documents.sql.ts'

/** Sends a stored document to the CRM, and the id of the veteran's folder if the CRM has none. */
export function sendDocument(crm: Pick<Crm, 'upsertDocument' | 'setBoxFolder'>) {
  return async ({ entityId }: OutboxEntry, tx: Tx): Promise<void> => {
    const document = await findForCrm(tx, entityId)
    if (!document?.boxFileId) return
    const { crmId, boxFileId, ...rest } = document
    const id = await crm.upsertDocument({ ...rest, boxFileId, ...(crmId && { crmId }) })
    await setCrmId(tx, document.documentId, id)
    const folders = await findFolders(tx, document.userId)
    if (folders?.portalFolderId && folders.contactId && !folders.crmFolderId) {
      await crm.setBoxFolder(folders.contactId, folders.portalFolderId)
    }
  }
}
