import { answerTasks } from './answer-tasks.ts'
import { client, openLoop } from './client.ts'

/** Offers sign-ins at a fixed rate from a process of its own, so that it does not slow what is measured. */

/** More than the sign-ins that the API keeps waiting, so that the offer does not wait on this side. */
const CONNECTIONS = 400

export interface FloodTask {
  base: string
  origin: string
  emails: string[]
  password: string
  perSecond: number
  ms: number
}

/** How many answers of each status; 0 for none at all. */
export type FloodResult = Record<number, number>

async function flood({ base, origin, emails, password, perSecond, ms }: FloodTask) {
  const { send, close } = client(base, origin, CONNECTIONS)
  let next = 0
  const result: FloodResult = {}
  await openLoop({ perSecond, ms }, async () => {
    const email = emails[next++ % emails.length]!
    const sent = send({ method: 'POST', path: '/auth/login', body: { email, password } })
    const status = await sent.then(
      (answer) => answer.status,
      () => 0,
    )
    result[status] = (result[status] ?? 0) + 1
  })
  close()
  return result
}

answerTasks(flood)
