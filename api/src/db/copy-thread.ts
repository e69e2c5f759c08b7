import { pipeline, Writable } from 'node:stream'
import type { WritableStream } from 'node:stream/web'
import { parentPort, workerData } from 'node:worker_threads'
import { constants, createGzip } from 'node:zlib'
import { lowerPriority } from '../platform/thread-priority.ts'
import { streamJson } from './copy-out.ts'
import type { Frame } from './copy-out.ts'
import { openPool } from './database.ts'
import type { DatabaseOptions } from './database.ts'

/** The thread of `copying.ts`. */

export type CopyPool = Omit<DatabaseOptions, 'onIdleError'>

export interface CopyTask {
  select: string
  frame: Frame
  zipped: boolean
  into: WritableStream<Uint8Array>
}

/** Alone: with a view the whole buffer behind it would cross to the other thread, most of it unused. */
async function* alone(chunks: AsyncIterable<Buffer>) {
  for await (const chunk of chunks) yield new Uint8Array(chunk)
}

lowerPriority()
const pool = openPool({
  ...(workerData as CopyPool),
  onIdleError: (error) => parentPort?.postMessage(error),
})

parentPort?.on('message', ({ select, frame, zipped, into }: CopyTask) => {
  const json = streamJson(pool, select, frame)
  const out = Writable.fromWeb(into)
  // Each ends with the others; the reader is told what went wrong.
  const done = () => {}
  if (!zipped) pipeline(json, out, done)
  // The least compression: it takes three quarters off, and little time.
  else pipeline(json, createGzip({ level: constants.Z_BEST_SPEED }), alone, out, done)
})
