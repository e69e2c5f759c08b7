import { emailLayout, paragraph } from '../../../mail/layout.ts'
import type { MailBrand } from '../../../mail/layout.ts'
import type { EmailMessage } from '../../../mail/port.ts'

/** Says nothing about the documents, also not which ones are still requested, because others may read the email. */
export function documentsReceived(
  brand: MailBrand,
  count: number,
  /** Undefined if the account is not linked to a contact, whose requests are therefore unknown. */
  stillRequested: number | undefined,
): Promise<EmailMessage> {
  const documents = count === 1 ? 'your document' : `your ${count} documents`
  return emailLayout(brand, {
    subject: `${brand.name} received ${documents}`,
    preview: count === 1 ? 'It is safe with us.' : 'They are safe with us.',
    heading: `We received ${documents}`,
    body: [
      paragraph('Thank you. What you sent is stored safely.'),
      ...(stillRequested === undefined ? [] : [paragraph(stillRequestedText(stillRequested))]),
      paragraph(
        'Your dashboard shows each document: when we received it, when it is in your records, ' +
          'and when we have reviewed it.',
      ),
      paragraph(`If you did not send anything, call us at ${brand.phone} right away.`),
    ],
  })
}

function stillRequestedText(count: number): string {
  if (count === 0) return 'We do not need any other document from you right now.'
  if (count === 1) {
    return 'We still need 1 document from you. Sign in to see which one, and upload it when you can.'
  }
  return `We still need ${count} documents from you. Sign in to see which ones, and upload them when you can.`
}
