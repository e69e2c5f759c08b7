/**
 * Yields the bytes in pieces of one size; only the last one may be smaller. Always the same buffer: use a piece before
 * the next one is read.
 */
export async function* inPieces(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<Buffer, void> {
  const piece = Buffer.allocUnsafeSlow(size)
  let filled = 0
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length;) {
      const taken = bytes.copy(piece, filled, at)
      at += taken
      filled += taken
      if (filled < size) continue
      yield piece
      filled = 0
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}
