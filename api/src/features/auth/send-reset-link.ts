import type { Brand } from '@guidon/contract/brand'
import { screens } from '@guidon/contract/screens'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { insertResetToken } from '../../db/reset-tokens.ts'
import { findPerson } from '../../db/users.ts'
import type { Tokens } from '../../http/tokens.ts'
import { job, work } from '../../jobs/job.ts'
import { resetLink } from '../../mail/messages/reset-link.ts'
import type { SendOnce } from '../../mail/send-once.ts'

/** For an unknown email the id is nobody's, and the job ends without a mail. */
export const sendResetLink = job({
  name: 'auth.send-reset-link',
  data: z.object({ userId: z.uuid() }),
  options: { retryLimit: 8, retryDelay: 2, expireInSeconds: 60 },
})

export interface ResetLinkParts {
  db: Database
  tokens: Tokens
  brand: Brand
  portal: string
  send: SendOnce
}

export function sendResetLinkWork({ db, tokens, brand, portal, send }: ResetLinkParts) {
  return work(sendResetLink, async ({ userId }, { id }) => {
    const person = await findPerson(db, userId)
    if (!person) return
    // Derived from the job, so that a job delivered twice mails one and the same link.
    const token = tokens.derive(`reset:${id}`)
    await insertResetToken(db, { tokenHash: tokens.hash('reset', token), userId })
    await send(
      id,
      person.email,
      await resetLink(brand, `${portal}${screens.resetPassword}?token=${token}`),
    )
  })
}
