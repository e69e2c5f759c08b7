import type { Brand } from '@guidon/contract/brand'
import { screens } from '@guidon/contract/screens'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { findPerson } from '../../db/users.ts'
import { job, work } from '../../jobs/job.ts'
import { brandFor } from '../../mail/layout.ts'
import { EMAIL_CONCURRENCY } from '../../mail/send-once.ts'
import type { SendOnce } from '../../mail/send-once.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { resetLink } from './messages/reset-link.ts'
import { insertResetToken } from './reset-tokens.sql.ts'

/** For an unknown email the id is random, and the job ends as `no-recipient`. */
export const sendResetLink = job({
  name: 'auth.send-reset-link',
  data: z.object({ userId: z.uuid() }),
  // Retries through a mail outage of four hours. Later the owner no longer waits for the link.
  options: { retryLimit: 500, retryDelay: 2, retryDelayMax: 30, expireInSeconds: 120 },
  concurrency: EMAIL_CONCURRENCY,
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
    // Derived from the job's id, so that a job that is delivered twice sends the same link.
    const token = tokens.derive(`reset:${id}`)
    const tokenHash = tokens.hash('reset', token)
    return send(id, async () => {
      const person = await findPerson(db, userId)
      if (!person) return 'no-recipient'
      // The password was changed meanwhile.
      if (!(await insertResetToken(db, { tokenHash, userId }))) return 'superseded'
      const link = `${portal}${screens.resetPassword}?token=${token}`
      const about = { userId, kinds: ['resetLink'] as const }
      return {
        to: person.email,
        message: await resetLink(brandFor(brand, person.state), link),
        about,
      }
    })
  })
}
