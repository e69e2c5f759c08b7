/** What a mail server reports about an email (RFC 3464). */
export interface DeliveryReport {
  /** The addresses that the report was sent to. */
  to: string[]
  state: 'delivered' | 'failed'
  /** Such as 5.1.1. */
  status: string | null
}

/** Mail servers write the address of the envelope into one of these. */
const RECIPIENT_HEADERS = ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-delivered-to']
const ADDRESS = /[\w.+=-]{1,64}@[\w.-]{1,255}/g
/** Anyone can send a message with any headers and parts. */
const PARTS_MAX = 20
const VALUES_MAX = 20
const VALUE_MAX = 1_000
const STATES: Readonly<Record<string, DeliveryReport['state']>> = {
  failed: 'failed',
  delivered: 'delivered',
}

/** Undefined for anything else, such as an answer of a person, or a report that the email is only late. */
export function readReport(raw: string): DeliveryReport | undefined {
  const message = splitPart(raw)
  const type = message.headers.get('content-type')?.join() ?? ''
  if (!/^multipart\/report\b/i.test(type) || !/report-type="?delivery-status\b/i.test(type)) return
  const [, boundary = ''] = /boundary="?([^";\s]{1,70})/i.exec(type) ?? []
  if (!boundary) return
  const part = message.body
    .split(`--${boundary}`, PARTS_MAX)
    .map((text) => splitPart(text.replace(/^\r?\n/, '')))
    .find(({ headers }) =>
      /^message\/(global-)?delivery-status\b/i.test(headers.get('content-type')?.join() ?? ''),
    )
  if (!part) return
  const isBase64 = /base64/i.test(part.headers.get('content-transfer-encoding')?.join() ?? '')
  const statusText = isBase64 ? Buffer.from(part.body, 'base64').toString('latin1') : part.body
  // The first block is about the message, each further one about a recipient. Our emails have one recipient.
  const recipient = statusText
    .split(/\r?\n\r?\n/, PARTS_MAX)
    .map(readHeaders)
    .find((fields) => fields.has('action'))
  const state = STATES[recipient?.get('action')?.[0]?.toLowerCase() ?? '']
  if (!state) return
  const [status = null] =
    /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(recipient?.get('status')?.[0] ?? '') ?? []
  const to = RECIPIENT_HEADERS.flatMap((name) => message.headers.get(name) ?? [])
  return { to: to.flatMap((text) => text.match(ADDRESS) ?? []), state, status }
}

function splitPart(text: string) {
  const [head = ''] = text.split(/\r?\n\r?\n/, 1)
  return { headers: readHeaders(head), body: text.slice(head.length) }
}

/** By their names in lower case. A line that begins with a space continues the one before. */
function readHeaders(text: string): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (const line of text.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const name = line.slice(0, colon).trim().toLowerCase()
    const values = headers.get(name) ?? []
    if (values.length < VALUES_MAX) values.push(line.slice(colon + 1, VALUE_MAX).trim())
    headers.set(name, values)
  }
  return headers
}
