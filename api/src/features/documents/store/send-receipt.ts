import type { Brand } from '@guidon/contract/brand'
import { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { findPerson } from '../../../db/users.ts'
import { job, work } from '../../../jobs/job.ts'
import { brandFor } from '../../../mail/layout.ts'
import { EMAIL_CONCURRENCY, EMAIL_JOB_OPTIONS } from '../../../mail/send-once.ts'
import type { SendOnce } from '../../../mail/send-once.ts'
import { countOpenRequests } from '../documents.sql.ts'
import { takeForReceipt } from '../uploads.sql.ts'
import { documentsReceived } from './documents-received.ts'

/** Files that arrive within this time of the first one are confirmed by one email. */
export const RECEIPT_AFTER_SECONDS = 30

export const sendReceipt = job({
  name: 'documents.send-receipt',
  data: z.object({ userId: z.uuid() }),
  options: EMAIL_JOB_OPTIONS,
  concurrency: EMAIL_CONCURRENCY,
})

export interface ReceiptParts {
  db: Database
  brand: Brand
  send: SendOnce
}

export function sendReceiptWork({ db, brand, send }: ReceiptParts) {
  return work(sendReceipt, ({ userId }, { id }) =>
    send(id, async () => {
      const count = await takeForReceipt(db, userId, id)
      // An earlier email confirmed all of them.
      if (count === 0) return 'superseded'
      const person = await findPerson(db, userId)
      if (!person) return 'no-recipient'
      const stillRequested = await countOpenRequests(db, userId)
      const message = await documentsReceived(brandFor(brand, person.state), count, stillRequested)
      return { to: person.email, message, about: { userId, kinds: ['receipt'] } }
    }),
  )
}
