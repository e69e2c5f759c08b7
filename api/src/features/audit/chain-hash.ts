import { createHash } from 'node:crypto'
import type { SealedRow } from './seals.sql.ts'

/** Covers the previous hash and every row in order, so that no row can be changed, removed or moved unnoticed. */
export function chainHash(
  previous: Buffer | undefined,
  rows: readonly Pick<SealedRow, 'text'>[],
): Buffer {
  const hash = createHash('sha256').update(previous ?? Buffer.alloc(32))
  for (const { text } of rows) hash.update(createHash('sha256').update(text).digest())
  return hash.digest()
}
