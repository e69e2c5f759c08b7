import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FetchOptions } from 'box-node-sdk/networking'

const CHUNK_BYTES = 64 * 1024

const lengths = new WeakMap<object, number>()

/** Records the length of a stream, because the Box SDK has no field for it. */
export function ofLength<Stream extends Readable>(stream: Stream, length: number): Stream {
  lengths.set(stream, length)
  return stream
}

/** Undefined if it is not known. */
export const lengthOf = (stream: object): number | undefined => lengths.get(stream)

/** In small chunks, so that the idle timeout sees progress. */
export function streamOf(bytes: Buffer): Readable {
  return ofLength(Readable.from(pieces(bytes), { objectMode: false }), bytes.length)
}

function* pieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

export interface Body {
  headers: Record<string, string>
  /** `source` is streamed between `before` and `after`; a small body is only `before`. */
  before: string
  source?: Readable
  after: string
}

/** The Box SDK would read the file into memory twice (175 MB for 40 MB), so the form is written around the stream. */
export function bodyOf(options: FetchOptions): Body | undefined {
  if (options.multipartData) return formOf(options.multipartData)
  if (options.fileStream) {
    const source = options.fileStream
    return sized({
      headers: { 'content-type': options.contentType },
      before: '',
      source,
      after: '',
    })
  }
  if (options.data === undefined) return undefined
  const before =
    options.contentType === 'application/json'
      ? JSON.stringify(options.data)
      : new URLSearchParams(options.data as Record<string, string>).toString()
  return sized({ headers: { 'content-type': options.contentType }, before, after: '' })
}

// Box requires the attributes before the bytes; the SDK passes the parts in this order.
function formOf(items: NonNullable<FetchOptions['multipartData']>): Body {
  const boundary = randomBytes(16).toString('hex')
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  let before = ''
  let source: Readable | undefined
  for (const { partName, data, fileStream } of items) {
    const file = fileStream ? '; filename="file"\r\ncontent-type: application/octet-stream' : ''
    before += `--${boundary}\r\ncontent-disposition: form-data; name="${partName}"${file}\r\n\r\n`
    if (fileStream) source = fileStream
    else before += `${JSON.stringify(data)}\r\n`
  }
  return sized({ headers, before, ...(source && { source }), after: `\r\n--${boundary}--\r\n` })
}

function sized(body: Body): Body {
  const { before, source, after } = body
  const middle = source ? lengths.get(source) : 0
  if (middle === undefined) return body
  const length = Buffer.byteLength(before) + middle + Buffer.byteLength(after)
  return { ...body, headers: { ...body.headers, 'content-length': String(length) } }
}
