import { randomUUID } from 'node:crypto'
import { login } from '@guidon/contract/auth'
import type { RefusalBody } from '@guidon/contract/refusal'
import { PASSWORD } from './account.ts'
import { httpClient } from './http-client.ts'
import { openLoop } from './load.ts'
import { runTasks } from './run-tasks.ts'

/** Sends sign-ins at a fixed rate, whether or not earlier ones got a response, from a process of its own. */

export interface FloodTask {
  base: string
  origin: string
  perSecond: number
  ms: number
  /** The accounts that are tried in turn; without them, each email is unknown. */
  emails?: readonly string[]
  /** How many client addresses the balancer seems to forward. */
  addresses?: number
}

export interface FloodResult {
  sent: number
  /** By status, with the code of a refusal; `none` without a response. */
  responses: Record<string, number>
}

async function flood({
  base,
  origin,
  emails,
  addresses,
  ...rate
}: FloodTask): Promise<FloodResult> {
  const { send, close } = httpClient(base, origin, Infinity)
  const responses: FloodResult['responses'] = {}
  let sent = 0
  const outcomeOf = async (number: number): Promise<string> => {
    const email = emails?.[number % emails.length] ?? `${randomUUID()}@example.com`
    const { status, body } = await send({
      method: login.method,
      path: login.path,
      body: { email, password: PASSWORD },
      ...(addresses && { headers: { 'x-forwarded-for': `203.0.113.${number % addresses}` } }),
    })
    return body.length > 0
      ? `${status} ${(JSON.parse(body.toString()) as RefusalBody).code}`
      : String(status)
  }
  const signIn = async () => {
    const outcome = await outcomeOf(sent++).catch(() => 'none')
    responses[outcome] = (responses[outcome] ?? 0) + 1
  }
  await openLoop(rate, signIn)
  close()
  return { sent, responses }
}

runTasks(flood)
