/** Where one account ends and the next begins. Inside a text every quotation mark is escaped, so this is never part of one. */
const BETWEEN = '},{"id":'

/** Make a part of an answer a whole one; what they say in place of the rest nobody reads. */
const HEAD = '{"users":['
const TAIL = '],"total":0,"next":null}'

/** About a thousand accounts: a few milliseconds of reading. */
const SLICE_CHARACTERS = 256 * 1024

/**
 * Cuts the text of a listing, as it comes, into whole answers with a part of the accounts each, so that
 * none takes long to read. Where it finds no place to cut, the answer stays in one piece.
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
    // Looking through ever more text at each chunk would take longer than reading it.
    enough = cut < 0 ? held.length * 2 : characters
    if (cut < 0) continue
    yield held.slice(0, cut + 1) + TAIL
    held = HEAD + held.slice(cut + 2)
  }
  yield held
}
