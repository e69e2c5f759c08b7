import type { Role } from '@guidon/contract/account'
import type { ResponseIn } from '@guidon/contract/endpoint'
import type { getDeliveriesOf, getEmailReachable } from '@guidon/contract/notices'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database } from '../../db/database.ts'
import { requireManageable } from '../../http/require-manageable.ts'
import { isReachable } from '../../mail/deliveries.sql.ts'
import { isUuid } from '../../platform/uuid.ts'
import { deliveriesOf, findAccount } from './deliveries.sql.ts'

interface Viewer {
  id: string
  role: Role
}

export interface StaffDeliveries {
  emailReachable(viewer: Viewer, id: string): Promise<ResponseIn<typeof getEmailReachable>>
  /** Each view is recorded in the audit log. */
  ofAccount(viewer: Viewer, id: string): Promise<ResponseIn<typeof getDeliveriesOf>>
}

export function staffDeliveries(db: Database): StaffDeliveries {
  async function manageable(viewer: Viewer, id: string): Promise<string> {
    const account = isUuid(id) ? await findAccount(db, id) : undefined
    return requireManageable(viewer, account).id
  }

  return {
    emailReachable: async (viewer, id) => ({
      emailReachable: await isReachable(db, await manageable(viewer, id)),
    }),

    ofAccount: async (viewer, id) => {
      const userId = await manageable(viewer, id)
      const deliveries = await deliveriesOf(db, userId)
      await recordEvent(db, {
        event: 'deliveries_viewed',
        actorId: viewer.id,
        subjectId: userId,
        details: { count: deliveries.length },
      })
      return { deliveries }
    },
  }
}
