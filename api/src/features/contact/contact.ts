import { CONTACT_REQUEST_SHOWN_DAYS, tooManyContactRequests } from '@guidon/contract/contact'
import type { ContactMethod } from '@guidon/contract/contact'
import { CONTACT_REQUESTS_A_DAY } from '@guidon/contract/limits'
import { step } from '../../crm/outbox/outbox.ts'
import type { Outbox, Sender } from '../../crm/outbox/outbox.ts'
import type { Database } from '../../db/database.ts'
import { refuse } from '../../http/refuse.ts'
import { REPEAT_SECONDS } from '../../platform/repeat.ts'
import {
  findContactRequest,
  insertContactRequest,
  latestContactRequest,
  secondsOverLimit,
} from './contact-requests.sql.ts'

export interface Contact {
  request(userId: string, method: ContactMethod): Promise<void>
  latest(userId: string): Promise<{ method: ContactMethod; requestedAt: string } | undefined>
}

export function contact(db: Database, outbox: Pick<Outbox, 'add'>): Contact {
  return {
    request: (userId, method) =>
      db.transaction().execute(async (tx) => {
        const id = await insertContactRequest(tx, userId, method, REPEAT_SECONDS)
        if (!id) return
        const retryAfterSeconds = await secondsOverLimit(tx, userId, CONTACT_REQUESTS_A_DAY)
        if (retryAfterSeconds > 0)
          throw refuse(tooManyContactRequests(retryAfterSeconds), { retryAfterSeconds })
        await outbox.add(tx, { userId, kind: 'contact_request', entityId: id })
      }),
    latest: (userId) => latestContactRequest(db, userId, CONTACT_REQUEST_SHOWN_DAYS),
  }
}

export const sendContactRequest: Sender = async ({ entityId }, db) => {
  const request = await findContactRequest(db, entityId)
  return request ? step({ kind: 'upsertContactRequest', request }, async () => 'sent') : 'sent'
}
