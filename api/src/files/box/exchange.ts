import { Readable } from 'node:stream'
import type { SerializedData } from 'box-node-sdk/serialization/json'
import { errors } from 'undici'
import { FilesRefused, FilesUnavailable } from '../port.ts'
import type { Body } from './body.ts'
import type { IdleTimeout } from './idle-timeout.ts'
import { BoxResponseError } from './response-error.ts'

const RESPONSE_MAX = 4 * 1024 * 1024

export interface Sending {
  stream: Readable
  /** Set if our own bytes could not be read, which is not Box's failure. */
  failure?: { reason: unknown }
}

export function requestStream({ before, source, after }: Body, timeout: IdleTimeout): Sending {
  async function* bytes() {
    yield Buffer.from(before)
    if (source) {
      try {
        for await (const chunk of source) {
          timeout.progress()
          yield chunk as Buffer
        }
      } catch (reason) {
        // The timeout destroys the stream, which also ends here.
        if (!timeout.signal.aborted) sending.failure = { reason }
        throw reason
      }
    }
    timeout.progress()
    if (after !== '') yield Buffer.from(after)
  }
  const sending: Sending = { stream: Readable.from(bytes(), { objectMode: false }) }
  return sending
}

/** The timeout runs only while we wait for Box, not while our reader is slow. */
export function downloadStream(response: Readable, timeout: IdleTimeout): Readable {
  async function* bytes() {
    try {
      for await (const chunk of response) {
        timeout.pause()
        yield chunk as Buffer
        timeout.progress()
      }
    } catch (error) {
      throw callError(error, timeout)
    } finally {
      timeout.pause()
    }
  }
  timeout.pause()
  return Readable.from(bytes(), { objectMode: false })
}

export async function readJson(response: Readable, timeout: IdleTimeout): Promise<SerializedData> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    timeout.progress()
    size += chunk.length
    if (size > RESPONSE_MAX) throw new FilesUnavailable('bad_answer')
    chunks.push(chunk)
  }
  if (size === 0) return undefined
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as SerializedData
  } catch {
    // A gateway may respond without JSON; the status is sufficient.
    return undefined
  }
}

export function callError(error: unknown, timeout: IdleTimeout): unknown {
  if (timeout.expired) return new FilesUnavailable('timeout')
  if (error instanceof BoxResponseError || error instanceof FilesUnavailable) return error
  // Our own error: the stream does not have the announced length.
  if (error instanceof errors.RequestContentLengthMismatchError)
    return new FilesRefused('wrong_size')
  return new FilesUnavailable('unreachable', undefined, { cause: error })
}
