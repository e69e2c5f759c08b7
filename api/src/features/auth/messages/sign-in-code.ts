import { CODE_MINUTES } from '@guidon/contract/limits'
import { code, emailLayout, paragraph } from '../../../mail/layout.ts'
import type { MailBrand } from '../../../mail/layout.ts'
import type { EmailMessage } from '../../../mail/port.ts'

export function signInCode(brand: MailBrand, digits: string): Promise<EmailMessage> {
  return emailLayout(brand, {
    subject: `Your ${brand.name} sign-in code`,
    preview: 'Enter the six digits to finish signing in.',
    heading: 'Your sign-in code',
    body: [
      paragraph(`Enter these six digits to finish signing in to ${brand.name}.`),
      code(digits),
      paragraph(
        `The code works once, for ${CODE_MINUTES} minutes. We will never ask you for it by phone.`,
      ),
      paragraph(
        `If you did not just sign in, someone else may know your password. Do not share this code, and call us at ${brand.phone}.`,
      ),
    ],
  })
}
