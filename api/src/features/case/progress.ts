import type { Role } from '@guidon/contract/account'
import type { Claim } from '@guidon/contract/claims'
import type { TodoItem } from '@guidon/contract/todo'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database } from '../../db/database.ts'
import { requireManageable } from '../../http/require-manageable.ts'
import { isUuid } from '../../platform/uuid.ts'
import { findAccount } from './person.sql.ts'
import { todoOf } from './todo.sql.ts'

export interface Progress {
  /** For staff. Each view is recorded in the audit log. */
  ofVeteran(
    viewer: { id: string; role: Role },
    id: string,
  ): Promise<{ todo: TodoItem[]; claims: Claim[] }>
}

export function progress(db: Database, claimsOf: (userId: string) => Promise<Claim[]>): Progress {
  return {
    ofVeteran: async (viewer, id) => {
      const account = isUuid(id) ? await findAccount(db, id) : undefined
      const { id: userId } = requireManageable(viewer, account)
      const { items: todo } = await todoOf(db, userId)
      const claims = await claimsOf(userId)
      await recordEvent(db, {
        event: 'progress_viewed',
        actorId: viewer.id,
        subjectId: userId,
        details: { todo: todo.length, claims: claims.length },
      })
      return { todo, claims }
    },
  }
}
