import { RESET_TOKEN_MINUTES } from '@guidon/contract/limits'
import { button, emailLayout, paragraph } from '../../../mail/layout.ts'
import type { MailBrand } from '../../../mail/layout.ts'
import type { EmailMessage } from '../../../mail/port.ts'

export function resetLink(brand: MailBrand, link: string): Promise<EmailMessage> {
  return emailLayout(brand, {
    subject: `Reset your ${brand.name} password`,
    preview: 'Choose a new password with the link inside.',
    heading: 'Reset your password',
    body: [
      paragraph(`Use this link to choose a new password for your ${brand.name} account.`),
      button('Choose a new password', link),
      paragraph(`The link works once, for ${RESET_TOKEN_MINUTES} minutes.`),
      paragraph(
        'If you did not ask for it, you can ignore this message: your password stays as it is.',
      ),
    ],
  })
}
