import { Agent, request } from 'node:http'

export interface TimedResponse {
  status: number
  ms: number
  /** Names and values, without their attributes. */
  cookies: string[]
  /** Names and values by turns. */
  rawHeaders: readonly string[]
  body: Buffer
}

interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: object
  cookie?: string
  headers?: Record<string, string>
}

/** Measures calls of a server over a limited number of keep-alive connections, as of a balancer. */
export function httpClient(base: string, origin: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = ({ method, path, body, cookie, headers: more }: Call): Promise<TimedResponse> =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body)
      const headers = {
        origin,
        ...(text && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
        ...(cookie && { cookie }),
        ...more,
      }
      const started = performance.now()
      const outgoing = request(base + path, { agent, method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            ms: performance.now() - started,
            status: response.statusCode ?? 0,
            cookies: (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]!),
            rawHeaders: response.rawHeaders,
            body: Buffer.concat(chunks),
          }),
        )
      })
      outgoing.on('error', reject)
      outgoing.end(text)
    })
  return { send, close: () => agent.destroy() }
}
