import type { Brand } from '@guidon/contract/brand'
import { emailLayout, paragraph } from '../../mail/layout.ts'
import type { EmailMessage } from '../../mail/port.ts'

/** Says nothing about the documents, because others may read the email. */
export function documentsReceived(brand: Brand, count: number): Promise<EmailMessage> {
  const documents = count === 1 ? 'your document' : `your ${count} documents`
  return emailLayout(brand, {
    subject: `${brand.name} received ${documents}`,
    preview: 'They are safe with us.',
    heading: `We received ${documents}`,
    body: [
      paragraph('Thank you. What you sent is stored safely, and there is nothing else to do.'),
      paragraph('Each document on your dashboard shows its name, its size and when you sent it.'),
      paragraph(`If you did not send anything, call us at ${brand.phone} right away.`),
    ],
  })
}
