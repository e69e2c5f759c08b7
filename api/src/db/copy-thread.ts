import { pipeline, Writable } from 'node:stream'
import type { WritableStream } from 'node:stream/web'
import { parentPort, workerData } from 'node:worker_threads'
import { constants, createGzip } from 'node:zlib'
import { lowerPriority } from '../platform/thread-priority.ts'
import { streamJson } from './copy-out.ts'
import type { Frame } from './copy-out.ts'
import { openPool } from './database.ts'
import type { DatabaseOptions } from './database.ts'

export type CopyPool = Omit<DatabaseOptions, 'onIdleError'>

export interface CopyTask {
  select: string
  frame: Frame
  gzip: boolean
  into: WritableStream<Uint8Array>
}

/** Copies each chunk, because posting a view would transfer the whole buffer behind it. */
async function* copied(chunks: AsyncIterable<Buffer>) {
  for await (const chunk of chunks) yield new Uint8Array(chunk)
}

lowerPriority()
const pool = openPool({
  ...(workerData as CopyPool),
  onIdleError: (error) => parentPort?.postMessage(error),
})

parentPort?.on('message', ({ select, frame, gzip, into }: CopyTask) => {
  const json = streamJson(pool, select, frame)
  const out = Writable.fromWeb(into)
  // The pipeline destroys `out` on failure, which reports the error to the reader.
  const done = () => {}
  if (!gzip) pipeline(json, out, done)
  // The fastest level already saves three quarters.
  else pipeline(json, createGzip({ level: constants.Z_BEST_SPEED }), copied, out, done)
})
