import { Readable } from 'node:stream'
import { createInflate } from 'node:zlib'

const KB = 1024
const MB = KB * KB
const CHUNK_BYTES = 64 * KB

/**
 * Smaller streams, such as most scanned pages, are not checked: deflate expands at most about 1,000 times, so each
 * gives at most half a gigabyte.
 */
const MIN_CHECKED_BYTES = 512 * KB
/** Inflated size divided by compressed size. Large pictures have about 10; only small blank ones have more than this. */
const SUSPICIOUS_RATIO = 200
const MAX_INFLATED_BYTES = 1024 * MB
/** Twenty on each of 10,000 pages. */
const MAX_STREAMS = 200_000

/**
 * Detects decompression bombs in the streams of a PDF. pdfinfo and qpdf do not unpack pages here, and the
 * scanner stops early and reports such a file as clean.
 */
export async function inflatesTooFar(bytes: Buffer): Promise<boolean> {
  let inflated = 0
  let count = 0
  for (const { start, end } of streams(bytes)) {
    count += 1
    if (count > MAX_STREAMS) return true
    if (end - start < MIN_CHECKED_BYTES) continue
    inflated += await inflatedSize(bytes.subarray(start), MAX_INFLATED_BYTES - inflated)
    if (inflated >= MAX_INFLATED_BYTES) return true
  }
  return false
}

/** Finds streams by their keywords, because the tables of a hostile file cannot be trusted. */
function* streams(bytes: Buffer): Generator<{ start: number; end: number }> {
  let start: number | undefined
  for (let at = bytes.indexOf('stream'); at !== -1; at = bytes.indexOf('stream', at + 6)) {
    const isEnd = bytes[at - 1] === 0x64 && bytes.toString('latin1', at - 3, at) === 'end'
    if (isEnd && start !== undefined) {
      yield { start, end: at - 3 }
      start = undefined
    } else if (!isEnd && start === undefined) {
      start = at + 6 + (bytes[at + 6] === 0x0d ? 2 : 1)
    }
  }
  if (start !== undefined) yield { start, end: bytes.length }
}

/** Returns 0 as soon as the ratio is not suspicious. */
async function inflatedSize(packed: Buffer, maxSize: number): Promise<number> {
  const source = Readable.from(pieces(packed))
  const inflate = createInflate({ chunkSize: MB })
  let size = 0
  source.pipe(inflate)
  try {
    for await (const chunk of inflate) {
      size += (chunk as Buffer).length
      if (size >= maxSize) break
      const hasReadEnough = inflate.bytesWritten > MIN_CHECKED_BYTES / 4
      if (hasReadEnough && size < inflate.bytesWritten * SUSPICIOUS_RATIO) return 0
    }
  } catch {
    // Another encoding, or damaged: count what was unpacked so far.
  } finally {
    source.destroy()
    inflate.destroy()
  }
  return size
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}
