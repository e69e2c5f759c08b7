import { Readable } from 'node:stream'
import { TransformStream } from 'node:stream/web'
import { Worker } from 'node:worker_threads'
import type { Frame } from './copy-out.ts'
import type { CopyPool, CopyTask } from './copy-thread.ts'

/** Buffers are short-lived; a small young generation collects them before they accumulate. */
const YOUNG_GENERATION_MB = 4

export interface CopyStreams {
  stream(select: string, frame: Frame, gzip: boolean): Readable
  close(): Promise<void>
}

/**
 * Streams long responses from a worker thread, so that garbage collection of their buffers does not delay
 * other requests. The thread starts with the first response.
 */
export function openCopyStreams(pool: CopyPool, onIdleError: (error: Error) => void): CopyStreams {
  let thread: Worker | undefined

  const start = () => {
    const started = new Worker(new URL('./copy-thread.ts', import.meta.url), {
      workerData: pool,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
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
    stream: (select, frame, gzip) => {
      thread ??= start()
      const { readable, writable } = new TransformStream<Uint8Array>()
      const task: CopyTask = { select, frame, gzip, into: writable }
      thread.postMessage(task, [writable])
      return Readable.fromWeb(readable)
    },
    close: async () => void (await thread?.terminate()),
  }
}
