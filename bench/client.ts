import { Agent, request } from 'node:http'
import { percentile } from './stats.ts'

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

export interface Loop {
  atOnce: number
  warmUpMs: number
  ms: number
}

export interface Slice {
  /** Good answers a second. */
  rate: number
  /** What the good ones took, in milliseconds. */
  p50: number
  p95: number
}

/** Keeps so many calls under way for a while; each of them knows which of the hands makes it. */
export async function closedLoop(
  { atOnce, warmUpMs, ms }: Loop,
  call: (hand: number) => Promise<boolean>,
): Promise<Slice> {
  const from = performance.now() + warmUpMs
  const to = from + ms
  const times: number[] = []
  const work = async (hand: number) => {
    for (let started = performance.now(); started < to;) {
      const ok = await call(hand)
      const now = performance.now()
      if (ok && now >= from && now < to) times.push(now - started)
      started = now
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, hand) => work(hand)))
  return {
    rate: (times.length * 1000) / ms,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  }
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
