import { Agent, request } from 'node:http'

export interface TimedResponse {
  ms: number
  /** Everything of the answer but what must differ: the date, the request's id, a cookie's value. */
  shape: string
  cookies: string[]
  status: number
}

const DIFFERS = new Set(['date', 'x-request-id'])

/** One connection, kept open, so that only the answer's own time is measured. */
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
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => {
            const ms = performance.now() - started
            const status = answer.statusCode ?? 0
            const bytes = Buffer.concat(chunks).toString('latin1')
            const shape = [status, ...linesOf(answer.rawHeaders), bytes].join('\n')
            resolve({ ms, status, shape, cookies: answer.headers['set-cookie'] ?? [] })
          })
        },
      )
      sent.on('error', reject)
      sent.end(text)
    })
  return { post, close: () => agent.destroy() }
}

function linesOf(raw: readonly string[]): string[] {
  const lines: string[] = []
  for (let n = 0; n < raw.length; n += 2) {
    const name = raw[n]!.toLowerCase()
    if (DIFFERS.has(name)) continue
    const value = raw[n + 1]!
    lines.push(`${name}: ${name === 'set-cookie' ? value.replace(/=[^;]*/, '=…') : value}`)
  }
  return lines
}
