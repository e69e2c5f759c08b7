import { DOCUMENT_NAME_MAX_BYTES } from '@guidon/contract/document-refusals'

const NAMELESS = 'document'
const LONGEST_EXTENSION = 16
/** No name that a person gave is longer; what is made to be long must not cost us anything. */
const LONGEST_LOOKED_AT = 4_096

/** Control characters, halves of characters, line ends, marks of direction and of byte order, and paths. */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{feff}\u{fff9}-\u{fffb}/\\]/gu

/** The name as given, less what could act on a screen or a disk; never empty. */
export function safeName(name: string): string {
  // Some browsers make up a folder, so as not to tell the real one.
  const plain = name
    .slice(0, LONGEST_LOOKED_AT)
    .replace(/^[a-z]:\\fakepath\\/i, '')
    .replace(UNSAFE, '')
  const bare = withoutEnds(plain.replace(/\s+/g, ' '))
  if (bare === '') return NAMELESS
  // Nothing but an extension.
  if (/^\s*\.[a-z0-9]+\s*$/i.test(plain)) return `${NAMELESS}.${bare}`
  return cut(bare)
}

/** Without spaces and dots at either end. A pattern would begin anew at each of a thousand dots. */
function withoutEnds(text: string): string {
  const isEnd = (at: number) => /[\s.]/.test(text.charAt(at))
  let [start, end] = [0, text.length]
  while (start < end && isEnd(start)) start += 1
  while (end > start && isEnd(end - 1)) end -= 1
  return text.slice(start, end)
}

function cut(name: string): string {
  const at = name.lastIndexOf('.')
  const hasExtension = at > 0 && Buffer.byteLength(name.slice(at)) <= LONGEST_EXTENSION
  return hasExtension ? withEnding(name.slice(0, at), name.slice(at)) : withEnding(name, '')
}

/** The stem is cut so that the ending fits, and never in the middle of what is seen as one character. */
export function withEnding(stem: string, ending: string): string {
  const limit = DOCUMENT_NAME_MAX_BYTES - Buffer.byteLength(ending)
  if (Buffer.byteLength(stem) <= limit) return stem + ending
  let kept = ''
  let bytes = 0
  for (const { segment } of new Intl.Segmenter().segment(stem)) {
    bytes += Buffer.byteLength(segment)
    if (bytes > limit) break
    kept += segment
  }
  return (withoutEnds(kept) || NAMELESS) + ending
}
