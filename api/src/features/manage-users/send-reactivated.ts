import type { Brand } from '@guidon/contract/brand'
import { screens } from '@guidon/contract/screens'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { findPerson } from '../../db/users.ts'
import { job, work } from '../../jobs/job.ts'
import { brandFor, button, emailLayout, paragraph } from '../../mail/layout.ts'
import type { MailBrand } from '../../mail/layout.ts'
import type { EmailMessage } from '../../mail/port.ts'
import { EMAIL_JOB_OPTIONS } from '../../mail/send-once.ts'
import type { SendOnce } from '../../mail/send-once.ts'

export const sendReactivated = job({
  name: 'manage-users.send-reactivated',
  data: z.object({ userId: z.uuid() }),
  options: EMAIL_JOB_OPTIONS,
})

interface Parts {
  db: Database
  brand: Brand
  portal: string
  send: SendOnce
}

export function sendReactivatedWork({ db, brand, portal, send }: Parts) {
  return work(sendReactivated, ({ userId }, { id }) =>
    send(id, async () => {
      // Undefined if the account was deactivated again or erased.
      const person = await findPerson(db, userId)
      if (!person) return 'no-recipient'
      const about = { userId, kinds: ['security'] as const }
      return {
        to: person.email,
        message: await reactivated(brandFor(brand, person.state), portal),
        about,
      }
    }),
  )
}

function reactivated(brand: MailBrand, portal: string): Promise<EmailMessage> {
  return emailLayout(brand, {
    subject: `Your ${brand.name} account is active again`,
    preview: 'You can sign in again.',
    heading: 'Your account is active again',
    body: [
      paragraph('Our staff made your account active again. You can sign in as before.'),
      button('Sign in', portal + screens.signIn),
      paragraph(
        'If you no longer know your password, choose “Forgot password?” on the sign-in page.',
      ),
      paragraph(`If you did not expect this, call us at ${brand.phone}.`),
    ],
  })
}
