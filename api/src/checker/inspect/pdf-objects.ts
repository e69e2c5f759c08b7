import { runReader } from './run-reader.ts'

/** A PDF of 10,000 pages has about 10 MB of JSON. */
const MAX_TEXT_CHARS = 128 * 1024 * 1024
const MAX_OBJECT_CHARS = 16 * 1024 * 1024
const CPU_SECONDS = 2
const OBJECT_END = '\n      }'

const DONE = 0
const DONE_WITH_WARNINGS = 3

export interface ObjectReader {
  /** `reference` is for example `12 0 R`. */
  object(reference: string, object: PdfObject): void
}

/** Names begin with a slash, strings with `u:` or `b:`, and references end with ` R`. */
export type PdfValue = null | boolean | number | string | PdfValue[] | { [key: string]: PdfValue }
export type PdfDictionary = { [key: string]: PdfValue }
export type PdfObject = { value: PdfValue } | { stream: { dict: PdfDictionary } }

/**
 * Reads each object of the PDF, also compressed ones, with decoded names. Never use `qpdf --check`: it
 * unpacks all streams, and 1 MB of a hostile file took 3 GB.
 */
export async function readObjects(
  size: number,
  reader: ObjectReader,
): Promise<'read' | 'encrypted' | 'timed out' | 'unreadable'> {
  const split = splitter(reader)
  try {
    const args = ['--json=2', '--json-key=qpdf', '--json-key=encrypt', '/dev/stdin']
    const result = await runReader('qpdf', args, {
      size,
      cpuSeconds: CPU_SECONDS,
      onOutput: split.add,
    })
    if (split.isEncrypted() || /invalid password|encryption/i.test(result.errors))
      return 'encrypted'
    if (result.timedOut) return 'timed out'
    return result.exit === DONE || result.exit === DONE_WITH_WARNINGS ? 'read' : 'unreadable'
  } catch (error) {
    if (error instanceof TooLarge || error instanceof SyntaxError || error instanceof RangeError) {
      return 'unreadable'
    }
    throw error
  }
}

class TooLarge extends Error {}

/** qpdf indents each object by six spaces, so the JSON can be split without holding all of it in memory. */
function splitter(reader: ObjectReader) {
  let text = ''
  let searched = 0
  let total = 0
  let isEncrypted = false
  const take = (block: string) => {
    const begin = block.indexOf('      "obj:')
    if (begin === -1) isEncrypted ||= block.includes('"encrypted": true')
    else {
      const [[key, object] = []] = Object.entries(JSON.parse(`{${block.slice(begin)}}`) as object)
      reader.object(key!.slice('obj:'.length), object as PdfObject)
    }
  }
  return {
    isEncrypted: () => isEncrypted,
    add(chunk: string) {
      total += chunk.length
      text += chunk
      let from = 0
      for (;;) {
        const end = text.indexOf(OBJECT_END, Math.max(from, searched))
        if (end === -1) break
        take(text.slice(from, end + OBJECT_END.length))
        from = end + OBJECT_END.length + 1
        searched = from
      }
      text = text.slice(from)
      searched = Math.max(0, text.length - OBJECT_END.length)
      if (total > MAX_TEXT_CHARS || text.length > MAX_OBJECT_CHARS) throw new TooLarge()
    },
  }
}
