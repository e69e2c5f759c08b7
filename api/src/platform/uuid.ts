import { randomBytes } from 'node:crypto'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)

/** Sorts before every id that PostgreSQL's `uuidv7()` makes at this time, in milliseconds since 1970. */
export const firstUuidAt = (at: number): string =>
  withHyphens(at.toString(16).padStart(12, '0').padEnd(32, '0'))

/** Sorted by time, like those of PostgreSQL's `uuidv7()`. */
export function uuidAt(at: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(at, 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return withHyphens(bytes.toString('hex'))
}

const withHyphens = (hex: string): string =>
  hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
