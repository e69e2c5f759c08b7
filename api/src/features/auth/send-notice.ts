import type { Brand } from '@guidon/contract/brand'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { findPerson } from '../../db/users.ts'
import { job, work } from '../../jobs/job.ts'
import { newDevice } from '../../mail/messages/new-device.ts'
import { passwordChanged } from '../../mail/messages/password-changed.ts'
import { temporaryPassword } from '../../mail/messages/temporary-password.ts'
import type { SendOnce } from '../../mail/send-once.ts'

const messages = {
  'new-device': newDevice,
  'password-changed': passwordChanged,
  'temporary-password': temporaryPassword,
}

/** Tells the owner of an account what was done to it. */
export const sendNotice = job({
  name: 'auth.send-notice',
  data: z.object({
    userId: z.uuid(),
    notice: z.enum(['new-device', 'password-changed', 'temporary-password']),
  }),
  options: { retryLimit: 12, retryDelay: 10, expireInSeconds: 60 },
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
  return work(sendNotice, async ({ userId, notice }, { id }) => {
    const person = await findPerson(db, userId)
    if (person) await send(id, person.email, await messages[notice](brand))
  })
}
