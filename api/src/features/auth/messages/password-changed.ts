import { emailLayout, paragraph } from '../../../mail/layout.ts'
import type { MailBrand } from '../../../mail/layout.ts'
import type { EmailMessage } from '../../../mail/port.ts'

export function passwordChanged(brand: MailBrand): Promise<EmailMessage> {
  return emailLayout(brand, {
    subject: `Your ${brand.name} password was changed`,
    preview: 'If that was you, there is nothing to do.',
    heading: 'Your password was changed',
    body: [
      paragraph('Your password was just changed, and your other devices were signed out.'),
      paragraph(`If that was not you, call us at ${brand.phone} right away.`),
    ],
  })
}
