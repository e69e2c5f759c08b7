import { answerTasks } from './answer-tasks.ts'
import { closedLoop } from './client.ts'
import { plainConnection } from './plain-connection.ts'
import { veteranFrom } from './read-task.ts'
import type { ReadTask } from './read-task.ts'
import { READS } from './reads.ts'
import { cookieOf } from './veterans.ts'

/** Asks a server for reads of the dashboard from a process of its own. */

async function load({ base, names, sessions, loop }: ReadTask) {
  const { host, port } = new URL(base)
  const hands = await Promise.all(
    Array.from({ length: loop.atOnce }, () => plainConnection(Number(port))),
  )
  const next = veteranFrom(sessions)
  let turn = 0
  const slice = await closedLoop(loop, async (hand) => {
    const { path } = READS[names[turn++ % names.length]!]
    const request = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookieOf(next())}\r\n\r\n`
    return (await hands[hand]!.ask(request)) === 200
  })
  for (const hand of hands) hand.close()
  return slice
}

answerTasks(load)
