import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { createInflate } from 'node:zlib'
import { readAt } from './read-at.ts'

const KB = 1024
const MB = KB * KB
const CHUNK = MB
/** Room for the dictionary that stands before a stream. */
const CARRIED = 2 * KB

/** What is smaller cannot unpack to more than half a gigabyte, and pages of scans are smaller. */
const LARGE = 512 * KB
/** Pictures are packed to a tenth, or white ones to a thousandth; but those are not large. */
const SUSPICIOUS = 200
const MOST_INFLATED = 1024 * MB

/**
 * Whether the streams of a PDF unpack to so much that they can only be meant to fill the memory of who
 * opens it. The readers here do not unpack pages, and the scanner stops early and calls it clean.
 */
export async function inflatesTooFar(path: string, file: FileHandle, size: number) {
  let inflated = 0
  for await (const { start, length, isPackedTwice } of streams(file, size)) {
    // Nobody packs twice, but it makes a bomb of a few kilobytes.
    if (isPackedTwice) return true
    if (length >= LARGE) inflated += await inflatedSize(path, start, MOST_INFLATED - inflated)
    if (inflated >= MOST_INFLATED) return true
  }
  return false
}

interface Stream {
  start: number
  length: number
  isPackedTwice: boolean
}

/** By their keywords: to trust the tables of a hostile file would be to see what it shows. */
async function* streams(file: FileHandle, size: number): AsyncGenerator<Stream> {
  let carried = ''
  let open: Omit<Stream, 'length'> | undefined
  for (let at = 0; at < size; at += CHUNK) {
    const text = carried + (await readAt(file, at, CHUNK))
    const base = at - carried.length
    for (const match of text.matchAll(/(?:end)?stream/g)) {
      const end = match.index + match[0].length
      // Seen with the chunk before.
      if (end <= carried.length) continue
      if (open && match[0] === 'endstream') {
        yield { ...open, length: base + match.index - open.start }
        open = undefined
      } else if (!open && match[0] === 'stream') {
        const lineEnd = text[end] === '\r' ? 2 : 1
        open = { start: base + end + lineEnd, isPackedTwice: namesTwo(text, match.index) }
      }
    }
    carried = text.slice(-CARRIED)
  }
  if (open) yield { ...open, length: size - open.start }
}

function namesTwo(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - CARRIED), at)
  const dictionary = before
    .slice(before.lastIndexOf('obj'))
    .replaceAll(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  return (dictionary.match(/\/(?:FlateDecode|Fl|LZWDecode|LZW)\b/g) ?? []).length > 1
}

/** How much it unpacks to, as far as that is suspicious. */
async function inflatedSize(path: string, start: number, most: number): Promise<number> {
  const source = createReadStream(path, { start, highWaterMark: 64 * KB })
  const inflate = createInflate({ chunkSize: MB })
  let size = 0
  source.on('error', (error) => inflate.destroy(error))
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
