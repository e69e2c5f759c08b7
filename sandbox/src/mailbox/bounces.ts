import type { Message } from './store.ts'

interface BounceRule {
  to: string
  action: string
  status: string
}

const WORD = /^[\w.]{1,20}$/

/** The mailbox of reports (RFC 3464) about emails to chosen addresses. */
export class Bounces {
  readonly #rules = new Map<string, BounceRule>()
  #reports: string[] = []

  /** Undefined if it is not a rule. */
  read(value: unknown): BounceRule | undefined {
    const { to, action = 'failed', status = '5.1.1' } = (value ?? {}) as Partial<BounceRule>
    const isRule = typeof to === 'string' && WORD.test(action) && WORD.test(status)
    return isRule ? { to: to.toLowerCase(), action, status } : undefined
  }

  add(rule: BounceRule): void {
    this.#rules.set(rule.to, rule)
  }

  /** Adds a report if there is a rule for the recipient. There is none about an email without a return path. */
  report({ to, returnPath, messageId }: Pick<Message, 'to' | 'returnPath' | 'messageId'>): void {
    for (const address of to) {
      const rule = this.#rules.get(address.toLowerCase())
      if (rule && returnPath) this.put(reportText(rule, address, returnPath, messageId ?? ''))
    }
  }

  put(raw: string): void {
    this.#reports.push(raw)
  }

  list(): readonly string[] {
    return this.#reports
  }

  remove(reports: ReadonlySet<string>): void {
    this.#reports = this.#reports.filter((report) => !reports.has(report))
  }
}

const reportText = (rule: BounceRule, to: string, returnPath: string, messageId: string) =>
  `From: MAILER-DAEMON@sandbox-mailbox
To: ${returnPath}
Subject: Delivery report
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
 boundary="=_report"

--=_report
Content-Type: text/plain; charset=utf-8

This is the sandbox mailbox. Your message to ${to} was not delivered.

--=_report
Content-Type: message/delivery-status

Reporting-MTA: dns; sandbox-mailbox

Final-Recipient: rfc822; ${to}
Action: ${rule.action}
Status: ${rule.status}
Diagnostic-Code: smtp; 550 ${rule.status} injected

--=_report
Content-Type: text/rfc822-headers

Message-ID: ${messageId}

--=_report--
`
