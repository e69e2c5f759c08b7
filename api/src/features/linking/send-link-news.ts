import type { Brand } from '@guidon/contract/brand'
import { screens } from '@guidon/contract/screens'
import { z } from 'zod'
import type { LinkNews } from '../../crm/links/links.ts'
import type { Database } from '../../db/database.ts'
import { findPerson } from '../../db/users.ts'
import { job, work } from '../../jobs/job.ts'
import { brandFor, button, emailLayout, paragraph } from '../../mail/layout.ts'
import type { MailBrand } from '../../mail/layout.ts'
import type { EmailMessage } from '../../mail/port.ts'
import { EMAIL_CONCURRENCY, EMAIL_JOB_OPTIONS } from '../../mail/send-once.ts'
import type { SendOnce } from '../../mail/send-once.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { notMeLink } from './not-me.ts'

/** Tells the owner of an account who gained or lost sight of records. */
export const sendLinkNews = job({
  name: 'linking.send-news',
  data: z.object({
    userId: z.uuid(),
    linkId: z.uuid(),
    news: z.enum(['linked', 'unlinked', 'recordsMoved'] satisfies LinkNews[]),
  }),
  options: EMAIL_JOB_OPTIONS,
  concurrency: EMAIL_CONCURRENCY,
})

interface Parts {
  db: Database
  brand: Brand
  portal: string
  tokens: Tokens
  send: SendOnce
}

export function sendLinkNewsWork({ db, brand, portal, tokens, send }: Parts) {
  return work(sendLinkNews, ({ userId, linkId, news }, { id }) =>
    send(id, async () => {
      const person = await findPerson(db, userId)
      if (!person) return 'no-recipient'
      const notMe = notMeLink(portal, tokens, linkId)
      const message = messages[news](brandFor(brand, person.state), portal, notMe)
      const about = { userId, kinds: ['security'] as const }
      return { to: person.email, message: await message, about }
    }),
  )
}

type Compose = (brand: MailBrand, portal: string, notMe: string) => Promise<EmailMessage>

/** Without names and facts of the case, because others may read the mailbox. */
const messages: Record<LinkNews, Compose> = {
  linked: (brand, portal, notMe) =>
    emailLayout(brand, {
      subject: `Your ${brand.name} account shows your records`,
      preview: 'Your account is now connected to your records with us.',
      heading: 'Your account is connected to your records',
      body: [
        paragraph('From now on you see your appointments, documents and claims when you sign in.'),
        button('Sign in', portal + screens.signIn),
        paragraph(
          `Does this surprise you, or are the records somebody else’s? Press the button below, or call us at ${brand.phone}. We then sign the account out everywhere and hide the records until we have looked into it.`,
        ),
        button('This was not me', notMe),
      ],
    }),
  unlinked: (brand, _portal, _notMe) =>
    emailLayout(brand, {
      subject: `Your ${brand.name} account no longer shows the records it showed before`,
      preview: 'Our staff corrected which records your account shows.',
      heading: 'We corrected which records you see',
      body: [
        paragraph(
          'Your account no longer shows the records that it showed before. What you uploaded yourself is still there.',
        ),
        paragraph(`If you think this is a mistake, call us at ${brand.phone}.`),
      ],
    }),
  recordsMoved: (brand, _portal, notMe) =>
    emailLayout(brand, {
      subject: `Some records left your ${brand.name} account`,
      preview: 'Records that you saw before are now filed elsewhere.',
      heading: 'Some records left your account',
      body: [
        paragraph('Our staff filed some records that you saw before with another person.'),
        paragraph(
          `If you think they are yours, call us at ${brand.phone}. If somebody else may be using your account, press the button below.`,
        ),
        button('This was not me', notMe),
      ],
    }),
}
