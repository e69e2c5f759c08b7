import type { Role } from '@guidon/contract/account'
import { OTHER_CATEGORY } from '@guidon/contract/documents'
import type { Document, StaffDocument } from '@guidon/contract/documents'
import { notFound } from '@guidon/contract/refusal'
import { holderOf } from '../../crm/links/links.sql.ts'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database } from '../../db/database.ts'
import { refuse } from '../../http/refuse.ts'
import { documentCategories } from './document-categories.sql.ts'
import { documentsOf } from './listed-documents.sql.ts'

export interface Documents {
  listOf(userId: string): Promise<Document[]>
  /** For staff. Each view is recorded in the audit log. */
  ofVeteran(salesforceId: string, viewer: { id: string; role: Role }): Promise<StaffDocument[]>
  categories(): Promise<string[]>
}

export function documents(db: Database): Documents {
  return {
    listOf: (userId) => documentsOf(db, userId),
    ofVeteran: async (salesforceId, viewer) => {
      const owner = await holderOf(db, salesforceId)
      // Staff only see documents of veterans, and do not learn which other accounts exist.
      if (!owner || (owner.role !== 'USER' && viewer.role !== 'ADMIN')) throw refuse(notFound)
      const found = await documentsOf(db, owner.userId)
      await recordEvent(db, {
        event: 'documents_viewed',
        actorId: viewer.id,
        subjectId: owner.userId,
        details: { rows: found.length },
      })
      return found
    },
    categories: async () => {
      const names = await documentCategories(db)
      return [...names.filter((name) => name !== OTHER_CATEGORY), OTHER_CATEGORY]
    },
  }
}
