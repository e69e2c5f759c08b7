import type { Brand } from '@guidon/contract/brand'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { findPerson } from '../../db/users.ts'
import { job, work } from '../../jobs/job.ts'
import { brandFor } from '../../mail/layout.ts'
import { EMAIL_CONCURRENCY, EMAIL_JOB_OPTIONS } from '../../mail/send-once.ts'
import type { SendOnce } from '../../mail/send-once.ts'
import { intakeReceived } from './intake-received.ts'

export const sendIntakeReceived = job({
  name: 'intake.send-received',
  data: z.object({ userId: z.uuid() }),
  options: EMAIL_JOB_OPTIONS,
  concurrency: EMAIL_CONCURRENCY,
})

interface Parts {
  db: Database
  brand: Brand
  portal: string
  send: SendOnce
}

export function sendIntakeReceivedWork({ db, brand, portal, send }: Parts) {
  return work(sendIntakeReceived, ({ userId }, { id }) =>
    send(id, async () => {
      const person = await findPerson(db, userId)
      if (!person) return 'no-recipient'
      const about = { userId, kinds: ['receipt'] as const }
      return {
        to: person.email,
        message: await intakeReceived(brandFor(brand, person.state), portal),
        about,
      }
    }),
  )
}
