import { CODE_MINUTES } from '@guidon/contract/limits'
import { code, emailLayout, paragraph } from '../../../mail/layout.ts'
import type { MailBrand } from '../../../mail/layout.ts'
import type { EmailMessage } from '../../../mail/port.ts'

export function verificationCode(brand: MailBrand, digits: string): Promise<EmailMessage> {
  return emailLayout(brand, {
    subject: `Your ${brand.name} verification code`,
    preview: 'Enter the six digits to finish creating your account.',
    heading: 'Welcome',
    body: [
      paragraph(`Enter these six digits to finish creating your ${brand.name} account.`),
      code(digits),
      paragraph(
        `The code works once, for ${CODE_MINUTES} minutes. We will never ask you for it by phone.`,
      ),
      paragraph(
        'If you did not ask for an account, you can ignore this message: without the code there is none.',
      ),
    ],
  })
}
