import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import * as z from 'zod/mini'
import { chainHash } from './chain-hash.ts'
import type { Seal, SealedRow } from './seals.sql.ts'

/**
 * A compressed text file. Each event is a line with its JSON array, exactly as it was hashed; after the events of a seal
 * comes a line with the seal as a JSON object.
 */

const FILE_MODE = 0o600

const sealLine = z.object({ seal: z.int(), hash: z.string() })

export const archiveName = (month: string): string => `audit-${month}.jsonl.gz`

/** Passes bytes on and hashes them. */
function hashing() {
  const hash = createHash('sha256')
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, digest: () => hash.digest() }
}

/** Writes a new file that only the operator can read. Returns its SHA-256. */
export async function writeArchive(
  path: string,
  sealed: AsyncIterable<{ seal: Seal; rows: readonly SealedRow[] }>,
): Promise<Buffer> {
  const { stream, digest } = hashing()
  const lines = async function* () {
    for await (const { seal, rows } of sealed) {
      const { number, events, untilTransaction, untilId, hash } = seal
      const end = { seal: number, events, untilTransaction, untilId, hash: hash.toString('hex') }
      yield [...rows.map(({ text }) => text), JSON.stringify(end), ''].join('\n')
    }
  }
  const file = createWriteStream(path, { mode: FILE_MODE, flags: 'wx', flush: true })
  try {
    await pipeline(lines, createGzip(), stream, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(path, { force: true })
    throw error
  }
  return digest()
}

export interface ArchiveContent {
  sha256: Buffer
  seals: number
  events: number
  /** Computed for the last seal of the file. Without seals, the hash of the seal before the file. */
  hash: Buffer | undefined
  /** What does not match, if anything. */
  broken: string | undefined
}

/** Computes the chain again from the events in the file, starting from the hash of the seal before the file. */
export async function readArchive(
  path: string,
  previousHash: Buffer | undefined,
): Promise<ArchiveContent> {
  const { stream, digest } = hashing()
  const text = new PassThrough()
  const copied = pipeline(createReadStream(path), stream, createGunzip(), text)
  // The loop below reports the same error.
  copied.catch(() => {})
  const content = { seals: 0, events: 0 }
  let hash = previousHash
  let rows: Pick<SealedRow, 'text'>[] = []
  let broken: string | undefined
  for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
    if (!line.startsWith('{')) {
      rows.push({ text: line })
      continue
    }
    const seal = sealLine.parse(JSON.parse(line))
    hash = chainHash(hash, rows)
    if (hash.toString('hex') !== seal.hash) broken ??= `seal ${seal.seal} does not match its events`
    content.seals += 1
    content.events += rows.length
    rows = []
  }
  await copied
  if (rows.length > 0) broken ??= 'the last events have no seal'
  return { ...content, sha256: digest(), hash, broken }
}
