/** The boundary between two accounts. Quotation marks inside a string are escaped, so it cannot be part of one. */
const BETWEEN = '},{"id":'

/** Put around a slice, to make it a valid response; the values after the users are not used. */
const HEAD = '{"users":['
const TAIL = '],"total":0,"next":null}'

/** About a thousand accounts, which take a few milliseconds to parse. */
const SLICE_CHARACTERS = 256 * 1024

/**
 * Cuts the text of a listing into several valid responses while it arrives. Each contains some of the
 * accounts, so that each is quick to parse. A response without a boundary stays in one piece.
 */
export async function* rowSlices(
  chunks: AsyncIterable<string>,
  characters = SLICE_CHARACTERS,
): AsyncGenerator<string> {
  let held = ''
  let enough = characters
  for await (const chunk of chunks) {
    held += chunk
    if (held.length < enough) continue
    const cut = held.lastIndexOf(BETWEEN)
    // Searching the growing text at each chunk would take quadratic time.
    enough = cut < 0 ? held.length * 2 : characters
    if (cut < 0) continue
    yield held.slice(0, cut + 1) + TAIL
    held = HEAD + held.slice(cut + 2)
  }
  yield held
}
