import { emailLayout, paragraph } from '../../../mail/layout.ts'
import type { MailBrand } from '../../../mail/layout.ts'
import type { EmailMessage } from '../../../mail/port.ts'

export function newDevice(brand: MailBrand): Promise<EmailMessage> {
  return emailLayout(brand, {
    subject: `New sign-in to your ${brand.name} account`,
    preview: 'If that was you, there is nothing to do.',
    heading: 'New sign-in to your account',
    body: [
      paragraph(
        'We saw a new sign-in to your account, on a device or in a browser that we do not know yet.',
      ),
      paragraph(
        `If that was you, there is nothing to do. If it was not, change your password and call us at ${brand.phone}.`,
      ),
    ],
  })
}
