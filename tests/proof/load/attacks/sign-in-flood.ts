import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { login } from '@guidon/contract/auth'
import type { RefusalBody } from '@guidon/contract/refusal'

/** Sends sign-ins of unknown emails at a fixed rate, whether or not earlier ones got a response. A process of its own. */

export interface FloodMessage {
  base: string
  origin: string
  perSecond: number
  seconds: number
}

export interface FloodResult {
  sent: number
  /** By status, with the code of the refusal; `none` without a response. */
  responses: Record<string, number>
}

const TICK_MS = 10
const PASSWORD = 'Harbor-Lantern-42!'
const ADDRESSES = 200

async function flood({ base, origin, perSecond, seconds }: FloodMessage): Promise<FloodResult> {
  const agent = new Agent({ keepAlive: true })
  const responses: Record<string, number> = {}
  const count = (outcome: string) => {
    responses[outcome] = (responses[outcome] ?? 0) + 1
  }
  const postSignIn = (number: number, body: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(base + login.path, {
        agent,
        method: login.method,
        headers: {
          origin,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-forwarded-for': `203.0.113.${number % ADDRESSES}`,
        },
      })
      sent.once('response', resolve).once('error', reject)
      sent.end(body)
    })
  const send = async (number: number) => {
    const email = `${randomUUID()}@example.com`
    try {
      const response = await postSignIn(number, JSON.stringify({ email, password: PASSWORD }))
      const { code } = (await json(response)) as RefusalBody
      count(`${response.statusCode} ${code}`)
    } catch {
      count('none')
    }
  }
  const signIns: Promise<void>[] = []
  const startedAt = performance.now()
  for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - startedAt) {
    const due = Math.floor((elapsed / 1000) * perSecond)
    while (signIns.length < due) signIns.push(send(signIns.length))
    await delay(TICK_MS)
  }
  await Promise.all(signIns)
  agent.destroy()
  return { sent: signIns.length, responses }
}

process.once('message', (message: FloodMessage) => {
  const report = async () => {
    process.send!(await flood(message))
    process.disconnect()
  }
  void report()
})
