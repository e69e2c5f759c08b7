import { Agent, request } from 'node:http'

export interface Answer {
  status: number
  ms: number
  cookies: string[]
}

export interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: object
  cookie?: string
}

/** Calls the API over connections that stay open, a bounded number, as a balancer does. */
export function client(base: string, origin: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = ({ method, path, body, cookie }: Call): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body)
      const headers = {
        origin,
        ...(text && { 'content-type': 'application/json', 'content-length': text.length }),
        ...(cookie && { cookie }),
      }
      const started = performance.now()
      const sent = request(base + path, { agent, method, headers }, (answer) => {
        answer.resume()
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            ms: performance.now() - started,
            cookies: (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]!),
          }),
        )
      })
      sent.on('error', reject)
      sent.end(text)
    })
  return { send, close: () => agent.destroy() }
}

/** Keeps so many calls under way for a while, and answers how many a second came back good. */
export async function closedLoop(
  { atOnce, warmUpMs, ms }: { atOnce: number; warmUpMs: number; ms: number },
  call: () => Promise<boolean>,
): Promise<number> {
  const from = performance.now() + warmUpMs
  const to = from + ms
  let good = 0
  const hand = async () => {
    while (performance.now() < to) {
      const ok = await call()
      const now = performance.now()
      if (ok && now >= from && now < to) good += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, hand))
  return (good * 1000) / ms
}

/** Begins calls at a fixed rate, whatever becomes of those before. */
export async function openLoop<T>(
  { perSecond, ms }: { perSecond: number; ms: number },
  call: () => Promise<T>,
): Promise<T[]> {
  const begun: Promise<T>[] = []
  const started = performance.now()
  await new Promise<void>((resolve) => {
    const tick = setInterval(() => {
      const passed = performance.now() - started
      const due = (Math.min(passed, ms) * perSecond) / 1000
      while (begun.length < due) begun.push(call())
      if (passed < ms) return
      clearInterval(tick)
      resolve()
    }, 1)
  })
  return Promise.all(begun)
}
