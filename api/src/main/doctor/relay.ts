import { randomUUID } from 'node:crypto'
import type { Brand } from '@guidon/contract/brand'
import { emailLayout, paragraph } from '../../mail/layout.ts'
import { MailRefused } from '../../mail/port.ts'
import { smtpMail } from '../../mail/smtp/smtp-mail.ts'
import { readBrand } from '../../platform/brand.ts'
import { smtpAccess } from '../config/access.ts'
import type { Config } from '../config/config.ts'
import { ok, problem } from './finding.ts'
import type { Finding, Subject } from './finding.ts'

const NO_SENDER = { name: '', address: '' }

export const relay: Subject = {
  name: 'relay',
  needs: ['SMTP_URL', 'SMTP_PLAINTEXT'],
  check: async ({ config, to }) => {
    const brand = to === undefined ? undefined : brandOf(config)
    const mail = smtpMail(smtpAccess(config), brand?.emailSender ?? NO_SENDER)
    try {
      await mail.verify()
      if (to === undefined) {
        return ok('It accepts our login. Add `--to ADDRESS` to send a test email.')
      }
      if (!brand) return ok('It accepts our login. No test email was sent: see brand.')
      const message = await emailLayout(brand, {
        subject: `Test email of ${brand.name}`,
        preview: 'The mail relay works.',
        heading: 'The mail relay works',
        body: [paragraph('An operator of the portal sent this email to test the mail relay.')],
      })
      await mail.send(to, message, randomUUID())
      return ok('It accepted the test email. Check that the email arrives.')
    } catch (error) {
      return relayProblem(error)
    } finally {
      mail.close()
    }
  },
}

/** Undefined if the folder cannot be used, which the subject `brand` reports. */
function brandOf({ BRAND_DIR }: Config): Brand | undefined {
  try {
    return readBrand(BRAND_DIR).brand
  } catch {
    return undefined
  }
}

function relayProblem(error: unknown): Finding {
  if (error instanceof MailRefused) {
    return problem(`It refused the recipient of the test email (${error.code}). Check the address.`)
  }
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  if (code === 'EAUTH') {
    return problem(`It refused our login (${responseCode}). Check user and password in SMTP_URL.`)
  }
  if (code === 'ETLS')
    return problem('It offers no TLS. Use smtps:// in SMTP_URL, or see docs/operate/mail.md.')
  if (responseCode !== undefined) {
    return problem(
      `It refused the email (${responseCode}). Read its log, and check the sender in brand.json.`,
    )
  }
  if (code === undefined) throw error
  return problem(`It cannot be reached (${code}). Check SMTP_URL and the network.`)
}
