import { DOCUMENT_NAME_MAX_BYTES } from '@guidon/contract/document-refusals'

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** `rating.pdf` → `rating (2).pdf` if the first name is taken. Like the server, ignores upper and lower case. */
export function freeName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((other) => other.toLowerCase()))
  if (!used.has(name.toLowerCase())) return name
  const at = name.lastIndexOf('.')
  const [stem, ending] = at > 0 ? [name.slice(0, at), name.slice(at)] : [name, '']
  const base = stem.replace(/ \(\d{1,6}\)$/, '')
  for (let number = 2; ; number += 1) {
    const candidate = withEnding(base, ` (${number})${ending}`)
    if (!used.has(candidate.toLowerCase())) return candidate
  }
}

/** Shortens the stem, because the server would cut the number off a name that is too long. */
function withEnding(stem: string, ending: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(stem), ({ segment }) => segment)
  while (bytesOf(characters.join('') + ending) > DOCUMENT_NAME_MAX_BYTES) characters.pop()
  return characters.join('').trimEnd() + ending
}
