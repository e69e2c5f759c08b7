import { request } from 'node:http'
import { answerTasks } from './answer-tasks.ts'

/** Reads listings one after the other, in a process of its own, without unpacking them. */

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
    const sent = request(url, { headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`listing answered ${answer.statusCode}`))
      let bytes = 0
      let firstMs = 0
      answer.on('data', (chunk: Buffer) => {
        if (bytes === 0) firstMs = performance.now() - started
        bytes += chunk.length
      })
      answer.on('error', reject)
      answer.on('end', () => resolve({ firstMs, lastMs: performance.now() - started, bytes }))
    })
    sent.on('error', reject)
    sent.end()
  })

answerTasks(async (task: ListingTask) => {
  const reads: ListingRead[] = []
  for (let time = 0; time < task.times; time += 1) reads.push(await read(task))
  return reads
})
