import { Readable } from 'node:stream'
import type { SerializedData } from 'box-node-sdk/serialization/json'
import { errors } from 'undici'
import { FilesRefused, FilesUnavailable } from '../port.ts'
import type { Body } from './body.ts'
import type { Telemetry } from './call-metrics.ts'
import { BoxRefusal } from './refusal.ts'

const LARGEST_ANSWER = 4 * 1024 * 1024

export interface Sending {
  stream: Readable
  /** Where our own bytes could not be had, which is not Box's failure. */
  failure?: { reason: unknown }
}

/** The body as it is sent; each piece that goes is progress. */
export function watchedSend({ before, source, after }: Body, watching: Telemetry): Sending {
  async function* bytes() {
    yield Buffer.from(before)
    if (source) {
      try {
        for await (const chunk of source) {
          watching.progress()
          yield chunk as Buffer
        }
      } catch (reason) {
        // A sender that gave up destroys the stream, and hears of it here.
        if (!watching.signal.aborted) sending.failure = { reason }
        throw reason
      }
    }
    watching.progress()
    if (after !== '') yield Buffer.from(after)
  }
  const sending: Sending = { stream: Readable.from(bytes(), { objectMode: false }) }
  return sending
}

/** A download as it is read. Only while the next bytes are awaited can they be late. */
export function watchedRead(answer: Readable, watching: Telemetry): Readable {
  async function* bytes() {
    try {
      for await (const chunk of answer) {
        watching.pause()
        yield chunk as Buffer
        watching.progress()
      }
    } catch (error) {
      throw noAnswer(error, watching)
    } finally {
      watching.pause()
    }
  }
  watching.pause()
  return Readable.from(bytes(), { objectMode: false })
}

export async function watchedJson(answer: Readable, watching: Telemetry): Promise<SerializedData> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    watching.progress()
    size += chunk.length
    if (size > LARGEST_ANSWER) throw new FilesUnavailable('bad_answer')
    chunks.push(chunk)
  }
  if (size === 0) return undefined
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as SerializedData
  } catch {
    // A gateway in between says it in words of its own: the status is what counts.
    return undefined
  }
}

export function noAnswer(error: unknown, watching: Telemetry): unknown {
  if (watching.expired) return new FilesUnavailable('timeout')
  if (error instanceof BoxRefusal || error instanceof FilesUnavailable) return error
  // Ours to mend: the bytes are not those that were announced.
  if (error instanceof errors.RequestContentLengthMismatchError)
    return new FilesRefused('wrong_size')
  return new FilesUnavailable('unreachable', undefined, { cause: error })
}
