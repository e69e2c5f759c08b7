import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FetchOptions } from 'box-node-sdk/networking'

const PIECE = 64 * 1024

const lengths = new WeakMap<object, number>()

/** Says how long a stream is before it is read, which Box's client has no place for. */
export function ofLength<Stream extends Readable>(stream: Stream, length: number): Stream {
  lengths.set(stream, length)
  return stream
}

/** In pieces, so that sending shows progress. */
export function streamOf(bytes: Buffer): Readable {
  return ofLength(Readable.from(pieces(bytes), { objectMode: false }), bytes.length)
}

function* pieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

export interface Body {
  headers: Record<string, string>
  /** Small bodies as they are; `source` as it comes, between `before` and `after`. */
  before: string
  source?: Readable
  after: string
}

/**
 * What is to be sent. Box's client would read every file into memory first, twice, and 40 MB cost it
 * 175 MB: so the form is written here, around the stream.
 */
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

// Box wants the attributes before the bytes, and its client gives the parts in this order.
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
