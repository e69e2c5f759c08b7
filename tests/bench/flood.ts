import { client, openLoop } from './client.ts'
import { runTasks } from './run-tasks.ts'

/** Sends sign-ins at a fixed rate from a separate process, so that they do not slow the process that measures. */

/** More than the API queues, so that no sign-in waits in this process. */
const CONNECTIONS = 400

export interface FloodTask {
  base: string
  origin: string
  emails: string[]
  password: string
  perSecond: number
  ms: number
}

/** The number of responses by status; status 0 means no response. */
export type FloodResult = Record<number, number>

async function flood({ base, origin, emails, password, perSecond, ms }: FloodTask) {
  const { send, close } = client(base, origin, CONNECTIONS)
  let next = 0
  const result: FloodResult = {}
  await openLoop({ perSecond, ms }, async () => {
    const email = emails[next++ % emails.length]!
    const sending = send({ method: 'POST', path: '/auth/login', body: { email, password } })
    const status = await sending.then(
      (response) => response.status,
      () => 0,
    )
    result[status] = (result[status] ?? 0) + 1
  })
  close()
  return result
}

runTasks(flood)
