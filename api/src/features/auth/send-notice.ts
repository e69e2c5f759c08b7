import type { Brand } from '@guidon/contract/brand'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { findPerson } from '../../db/users.ts'
import { job, work } from '../../jobs/job.ts'
import { brandFor } from '../../mail/layout.ts'
import { EMAIL_CONCURRENCY, EMAIL_JOB_OPTIONS } from '../../mail/send-once.ts'
import type { SendOnce } from '../../mail/send-once.ts'
import { newDevice } from './messages/new-device.ts'
import { passwordChanged } from './messages/password-changed.ts'
import { temporaryPassword } from './messages/temporary-password.ts'

const messages = {
  'new-device': newDevice,
  'password-changed': passwordChanged,
  'temporary-password': temporaryPassword,
}

export const sendNotice = job({
  name: 'auth.send-notice',
  data: z.object({
    userId: z.uuid(),
    notice: z.enum(['new-device', 'password-changed', 'temporary-password']),
  }),
  options: EMAIL_JOB_OPTIONS,
  concurrency: EMAIL_CONCURRENCY,
})

export function sendNoticeWork({
  db,
  brand,
  send,
}: {
  db: Database
  brand: Brand
  send: SendOnce
}) {
  return work(sendNotice, ({ userId, notice }, { id }) =>
    send(id, async () => {
      const person = await findPerson(db, userId)
      if (!person) return 'no-recipient'
      const about = { userId, kinds: ['security'] as const }
      return {
        to: person.email,
        message: await messages[notice](brandFor(brand, person.state)),
        about,
      }
    }),
  )
}
