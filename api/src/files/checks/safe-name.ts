import { DOCUMENT_NAME_MAX_BYTES } from '@guidon/contract/document-refusals'

const FALLBACK = 'document'
const MAX_EXTENSION_BYTES = 16
/** Bounds the work for a name that an attacker made long. */
const INPUT_MAX = 4_096

/** Control characters, lone surrogates, line ends, bidi and byte order marks, and path separators. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{feff}\u{fff9}-\u{fffb}/\\]/gu

/** Removes what could harm a screen or a file system; never returns an empty name. */
export function safeName(name: string): string {
  // Some browsers add a fake folder to hide the real one.
  const plain = name
    .slice(0, INPUT_MAX)
    .replace(/^[a-z]:\\fakepath\\/i, '')
    .replace(UNSAFE_CHARACTERS, '')
  const bare = withoutEnds(plain.replace(/\s+/g, ' '))
  if (bare === '') return FALLBACK
  // Only an extension.
  if (/^\s*\.[a-z0-9]+\s*$/i.test(plain)) return `${FALLBACK}.${bare}`
  return shorten(bare)
}

/** Trims spaces and dots. A regular expression would take quadratic time for many dots. */
function withoutEnds(text: string): string {
  const isEnd = (at: number) => /[\s.]/.test(text.charAt(at))
  let [start, end] = [0, text.length]
  while (start < end && isEnd(start)) start += 1
  while (end > start && isEnd(end - 1)) end -= 1
  return text.slice(start, end)
}

function shorten(name: string): string {
  const at = name.lastIndexOf('.')
  const hasExtension = at > 0 && Buffer.byteLength(name.slice(at)) <= MAX_EXTENSION_BYTES
  return hasExtension ? withEnding(name.slice(0, at), name.slice(at)) : withEnding(name, '')
}

/** Shortens the stem so that the ending fits, and never splits a visible character. */
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
  return (withoutEnds(kept) || FALLBACK) + ending
}
