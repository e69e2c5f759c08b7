import { screens } from '@guidon/contract/screens'
import { button, emailLayout, paragraph } from '../../mail/layout.ts'
import type { MailBrand } from '../../mail/layout.ts'
import type { EmailMessage } from '../../mail/port.ts'

/** Contains no answers, because others may read the email. */
export function intakeReceived(brand: MailBrand, portal: string): Promise<EmailMessage> {
  return emailLayout(brand, {
    subject: `We received your ${brand.name} intake`,
    preview: 'Thank you. There is nothing else to do for now.',
    heading: 'We received your intake',
    body: [
      paragraph('Thank you for telling us about yourself. There is nothing else to do for now.'),
      paragraph('You can look at what you sent, or print it, on your dashboard.'),
      button('Go to your dashboard', portal + screens.home),
      paragraph(`If an answer has to change, call us at ${brand.phone}.`),
    ],
  })
}
