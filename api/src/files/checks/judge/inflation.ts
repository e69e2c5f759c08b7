import { Readable } from 'node:stream'
import { createInflate } from 'node:zlib'

const KB = 1024
const MB = KB * KB
const PIECE = 64 * KB

/** What is smaller cannot unpack to more than half a gigabyte, and pages of scans are smaller. */
const LARGE = 512 * KB
/** Pictures are packed to a tenth, or white ones to a thousandth; but those are not large. */
const SUSPICIOUS = 200
const MOST_INFLATED = 1024 * MB
/** Twenty to each of 10,000 pages. */
const MOST_STREAMS = 200_000

/**
 * Whether the streams of a PDF unpack to so much that they can only be meant to fill the memory of who
 * opens it. The readers here do not unpack pages, and the scanner stops early and calls it clean.
 */
export async function inflatesTooFar(bytes: Buffer): Promise<boolean> {
  let inflated = 0
  let count = 0
  for (const { start, end } of streams(bytes)) {
    count += 1
    if (count > MOST_STREAMS) return true
    if (end - start < LARGE) continue
    inflated += await inflatedSize(bytes.subarray(start), MOST_INFLATED - inflated)
    if (inflated >= MOST_INFLATED) return true
  }
  return false
}

/** By their keywords: to trust the tables of a hostile file would be to see what it shows. */
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

/** How much it unpacks to, as far as that is suspicious. */
async function inflatedSize(packed: Buffer, most: number): Promise<number> {
  const source = Readable.from(pieces(packed))
  const inflate = createInflate({ chunkSize: MB })
  let size = 0
  source.pipe(inflate)
  try {
    for await (const chunk of inflate) {
      size += (chunk as Buffer).length
      if (size >= most) break
      if (inflate.bytesWritten > LARGE / 4 && size < inflate.bytesWritten * SUSPICIOUS) return 0
    }
  } catch {
    // Not packed in this way, or damaged: what came out until then counts.
  } finally {
    source.destroy()
    inflate.destroy()
  }
  return size
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}
