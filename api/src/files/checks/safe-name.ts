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
  const bare = plain.replace(/\s+/g, ' ').replace(/^[\s.]+|[\s.]+$/g, '')
  if (bare === '') return NAMELESS
  // Nothing but an extension.
  if (/^\s*\.[a-z0-9]+\s*$/i.test(plain)) return `${NAMELESS}.${bare}`
  return cut(bare)
}

/** The end goes, but not the extension; and never half of what is seen as one character. */
function cut(name: string): string {
  if (Buffer.byteLength(name) <= DOCUMENT_NAME_MAX_BYTES) return name
  const at = name.lastIndexOf('.')
  const hasExtension = at > 0 && Buffer.byteLength(name.slice(at)) <= LONGEST_EXTENSION
  const extension = hasExtension ? name.slice(at) : ''
  const stem = hasExtension ? name.slice(0, at) : name
  const room = DOCUMENT_NAME_MAX_BYTES - Buffer.byteLength(extension)
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(stem)) {
    if (Buffer.byteLength(kept + segment) > room) break
    kept += segment
  }
  const stemKept = kept.trimEnd() || NAMELESS
  return stemKept + extension
}
