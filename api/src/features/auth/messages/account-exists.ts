import { screens } from '@guidon/contract/screens'
import { button, emailLayout, paragraph } from '../../../mail/layout.ts'
import type { MailBrand } from '../../../mail/layout.ts'
import type { EmailMessage } from '../../../mail/port.ts'

export function accountExists(brand: MailBrand, portal: string): Promise<EmailMessage> {
  return emailLayout(brand, {
    subject: `You already have a ${brand.name} account`,
    preview: 'Someone tried to create an account with your email.',
    heading: 'You already have an account',
    body: [
      paragraph(
        `Someone, perhaps you, tried to create a ${brand.name} account with this email. There is one already, so nothing was changed.`,
      ),
      button('Sign in', portal + screens.signIn),
      paragraph(
        'If you no longer know your password, choose “Forgot password?” on the sign-in page.',
      ),
    ],
  })
}
