import { Readable } from 'node:stream'
import { TransformStream } from 'node:stream/web'
import { Worker } from 'node:worker_threads'
import type { Frame } from './copy-out.ts'
import type { CopyPool, CopyTask } from './copy-thread.ts'

/** Its buffers live for a moment; with little room for the young they are swept before they pile up. */
const YOUNG_MB = 4

export interface CopyStreams {
  /** JSON rows as PostgreSQL itself writes them, inside a frame. */
  stream(select: string, frame: Frame, zipped: boolean): Readable
  close(): Promise<void>
}

/**
 * Long answers go through a thread of their own: sweeping up after tens of megabytes would hold up whoever
 * else is answered meanwhile. Starts with the first of them.
 */
export function openCopyStreams(pool: CopyPool, onIdleError: (error: Error) => void): CopyStreams {
  let thread: Worker | undefined

  const start = () => {
    const started = new Worker(new URL('./copy-thread.ts', import.meta.url), {
      workerData: pool,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    started.unref()
    started.on('message', onIdleError)
    started.on('error', (error) => {
      thread = undefined
      onIdleError(error)
    })
    return started
  }

  return {
    stream: (select, frame, zipped) => {
      thread ??= start()
      const { readable, writable } = new TransformStream<Uint8Array>()
      const task: CopyTask = { select, frame, zipped, into: writable }
      thread.postMessage(task, [writable])
      return Readable.fromWeb(readable)
    },
    close: async () => void (await thread?.terminate()),
  }
}
