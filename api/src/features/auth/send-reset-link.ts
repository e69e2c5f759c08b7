import type { Brand } from '@guidon/contract/brand'
import { screens } from '@guidon/contract/screens'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { findPerson } from '../../db/users.ts'
import { job, work } from '../../jobs/job.ts'
import type { SendOnce } from '../../mail/send-once.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { resetLink } from './messages/reset-link.ts'
import { insertResetToken } from './reset-tokens.sql.ts'

/** For an unknown email the id is nobody's, and the job ends without a mail: `no-recipient`. */
export const sendResetLink = job({
  name: 'auth.send-reset-link',
  data: z.object({ userId: z.uuid() }),
  // Four hours of outage; a link is of use for as long as its owner still waits for it.
  options: { retryLimit: 500, retryDelay: 2, retryDelayMax: 30, expireInSeconds: 120 },
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
    // Derived from the job, so that a job delivered twice mails one and the same link.
    const token = tokens.derive(`reset:${id}`)
    const tokenHash = tokens.hash('reset', token)
    return send(id, async () => {
      const person = await findPerson(db, userId)
      if (!person) return 'no-recipient'
      // A password that was set meanwhile has voided the link.
      if (!(await insertResetToken(db, { tokenHash, userId }))) return 'superseded'
      const link = `${portal}${screens.resetPassword}?token=${token}`
      return { to: person.email, message: await resetLink(brand, link) }
    })
  })
}
