import { TEMPORARY_PASSWORD_HOURS } from '@guidon/contract/limits'
import { emailLayout, paragraph } from '../../../mail/layout.ts'
import type { MailBrand } from '../../../mail/layout.ts'
import type { EmailMessage } from '../../../mail/port.ts'

export function temporaryPassword(brand: MailBrand): Promise<EmailMessage> {
  return emailLayout(brand, {
    subject: `Your ${brand.name} password was reset by our staff`,
    preview: 'You will choose a new one when you next sign in.',
    heading: 'Your password was reset',
    body: [
      paragraph(
        'Our staff just set a temporary password for your account. They will tell it to you; it is never sent by email. All your devices were signed out.',
      ),
      paragraph(
        `Sign in with the temporary password within ${TEMPORARY_PASSWORD_HOURS} hours, and you will be asked to choose a password of your own.`,
      ),
      paragraph(`If you did not ask for this, call us at ${brand.phone} right away.`),
    ],
  })
}
