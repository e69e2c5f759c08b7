import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runTasks } from '../support/outside/run-tasks.ts'
import { readBaseline } from './baseline-read.ts'
import type { Baseline } from './baseline-read.ts'
import { READ_NAMES, READS } from './reads.ts'

/** The second baseline for reads: a minimal HTTP server that runs the API's SQL statements, in a separate process. */

const names = new Map(READ_NAMES.map((name) => [READS[name].path, name]))

async function serve(baseline: Baseline): Promise<string> {
  const { read } = readBaseline(baseline)
  const handle = async ({ url, headers }: IncomingMessage, response: ServerResponse) => {
    const veteran = Number(headers.cookie!.split('-').at(-1))
    const body = JSON.stringify(await read(names.get(url as `/${string}`)!, veteran))
    response.setHeader('content-type', 'application/json')
    response.end(body)
  }
  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

runTasks(serve)
