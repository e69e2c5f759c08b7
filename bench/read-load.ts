import { closedLoop } from './client.ts'
import { plainConnection } from './plain-connection.ts'
import { randomVeteran } from './read-task.ts'
import type { ReadTask } from './read-task.ts'
import { READS } from './reads.ts'
import { runTasks } from './run-tasks.ts'
import { cookieOf } from './veterans.ts'

/** Sends dashboard reads to a server and measures them, in a separate process. */

async function load({ base, names, sessions, loop }: ReadTask) {
  const { host, port } = new URL(base)
  const connections = await Promise.all(
    Array.from({ length: loop.concurrency }, () => plainConnection(Number(port))),
  )
  const next = randomVeteran(sessions)
  let turn = 0
  const result = await closedLoop(loop, async (index) => {
    const { path } = READS[names[turn++ % names.length]!]
    const request = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookieOf(next())}\r\n\r\n`
    return (await connections[index]!.send(request)) === 200
  })
  for (const connection of connections) connection.close()
  return result
}

runTasks(load)
