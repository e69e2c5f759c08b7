import { Agent, request } from 'node:http'

export interface TimedResponse {
  ms: number
  /** Status, headers and body, without what differs in every response: date, request id, cookie values. */
  fingerprint: string
  cookies: string[]
  status: number
}

const DIFFERENT_EACH_TIME = new Set(['date', 'x-request-id'])

/**
 * Shows whether responses differ in content or time. Sends everything over one open connection: connecting is not
 * measured.
 */
export function timedClient(base: string, origin: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const post = (path: string, body: object, cookie = ''): Promise<TimedResponse> =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(body)
      const started = performance.now()
      const sent = request(
        base + path,
        {
          agent,
          method: 'POST',
          headers: {
            origin,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
            ...(cookie && { cookie }),
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const ms = performance.now() - started
            const status = response.statusCode ?? 0
            const bytes = Buffer.concat(chunks).toString('latin1')
            const fingerprint = [status, ...comparableHeaders(response.rawHeaders), bytes].join(
              '\n',
            )
            resolve({ ms, status, fingerprint, cookies: response.headers['set-cookie'] ?? [] })
          })
        },
      )
      sent.on('error', reject)
      sent.end(text)
    })
  return { post, close: () => agent.destroy() }
}

function comparableHeaders(raw: readonly string[]): string[] {
  const lines: string[] = []
  for (let n = 0; n < raw.length; n += 2) {
    const name = raw[n]!.toLowerCase()
    if (DIFFERENT_EACH_TIME.has(name)) continue
    const value = raw[n + 1]!
    lines.push(`${name}: ${name === 'set-cookie' ? value.replace(/=[^;]*/, '=…') : value}`)
  }
  return lines
}
