import { step } from '../../../crm/outbox/outbox.ts'
import type { Outcome, Sender, Step } from '../../../crm/outbox/outbox.ts'
import type { Queryable } from '../../../db/database.ts'
import { findFolders } from '../../../db/users.ts'
import { findForCrm, setCrmId } from '../documents.sql.ts'

/** The target of an entry whose document is sent, and whose folder may be missing in the CRM. */
const FOLDER = 'folder'

/** Sends a stored document to the CRM, and then the id of the veteran's folder if the CRM has none. */
export const sendDocument: Sender = async ({ entityId, target, searched }, db) => {
  const document = await findForCrm(db, entityId)
  if (!document?.boxFileId) return 'sent'
  const { crmId, boxFileId, ...rest } = document
  const { documentId, userId } = rest
  if (target === FOLDER) return sendFolder(db, userId, searched)
  const outgoing = { ...rest, boxFileId, ...(crmId && { crmId }) }
  return step({ kind: 'upsertDocument', document: outgoing }, async (id, tx): Promise<Outcome> => {
    await setCrmId(tx, documentId, id)
    const folder = await missingFolder(tx, userId)
    return folder ? { target: FOLDER, searched: false } : 'sent'
  })
}

/** The provider may have set a folder that the mirror does not have yet, so the CRM is read before the write. */
async function sendFolder(
  db: Queryable,
  userId: string,
  searched: boolean,
): Promise<Step | 'sent'> {
  const folder = await missingFolder(db, userId)
  if (!folder) return 'sent'
  const { contactId, boxFolderId } = folder
  if (searched) return step({ kind: 'setBoxFolder', contactId, boxFolderId }, async () => 'sent')
  return step({ kind: 'findBoxFolder', contactId }, async (found) =>
    found ? 'sent' : { target: FOLDER, searched: true },
  )
}

async function missingFolder(db: Queryable, userId: string) {
  const folders = await findFolders(db, userId)
  if (!folders?.portalFolderId || !folders.contactId || folders.crmFolderId) return undefined
  return { contactId: folders.contactId, boxFolderId: folders.portalFolderId }
}
