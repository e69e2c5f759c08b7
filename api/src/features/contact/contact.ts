import { CONTACT_REQUEST_SHOWN_DAYS } from '@guidon/contract/contact'
import type { ContactMethod } from '@guidon/contract/contact'
import type { Outbox } from '../../crm/outbox/outbox.ts'
import type { Crm } from '../../crm/port.ts'
import type { OutboxEntry } from '../../db/crm-outbox.ts'
import type { Database, Tx } from '../../db/database.ts'
import {
  findContactRequest,
  insertContactRequest,
  latestContactRequest,
} from './contact-requests.sql.ts'

/** The same request again within this time is a double click, or a retry after a lost response. */
const REPEAT_SECONDS = 60

export interface Contact {
  request(userId: string, method: ContactMethod): Promise<void>
  latest(userId: string): Promise<{ method: ContactMethod; requestedAt: string } | undefined>
}

export function contact(db: Database, outbox: Pick<Outbox, 'add'>): Contact {
  return {
    request: (userId, method) =>
      db.transaction().execute(async (tx) => {
        const id = await insertContactRequest(tx, userId, method, REPEAT_SECONDS)
        if (id) await outbox.add(tx, { userId, kind: 'contact_request', entityId: id })
      }),
    latest: (userId) => latestContactRequest(db, userId, CONTACT_REQUEST_SHOWN_DAYS),
  }
}

export function sendContactRequest(crm: Pick<Crm, 'upsertContactRequest'>) {
  return async ({ entityId }: OutboxEntry, tx: Tx): Promise<void> => {
    const request = await findContactRequest(tx, entityId)
    if (request) await crm.upsertContactRequest(request)
  }
}
