import { request } from 'node:http'
import { runTasks } from '../support/outside/run-tasks.ts'

/** Reads listings one after the other without decompressing them, in a separate process. */

export interface ListingTask {
  url: string
  cookie: string
  encoding: 'gzip' | 'identity'
  times: number
}

export interface ListingRead {
  firstMs: number
  lastMs: number
  bytes: number
}

const read = ({ url, cookie, encoding }: ListingTask) =>
  new Promise<ListingRead>((resolve, reject) => {
    const started = performance.now()
    const headers = { cookie, 'accept-encoding': encoding }
    const outgoing = request(url, { headers }, (response) => {
      const { statusCode } = response
      if (statusCode !== 200) reject(new Error(`the listing responded with ${statusCode}`))
      let bytes = 0
      let firstMs = 0
      response.on('data', (chunk: Buffer) => {
        if (bytes === 0) firstMs = performance.now() - started
        bytes += chunk.length
      })
      response.on('error', reject)
      response.on('end', () => resolve({ firstMs, lastMs: performance.now() - started, bytes }))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })

runTasks(async (task: ListingTask) => {
  const reads: ListingRead[] = []
  for (let time = 0; time < task.times; time += 1) reads.push(await read(task))
  return reads
})
