import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { ReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface StoredBlob {
  path: string
  size: number
  /** Hexadecimal, as in Box's API. */
  sha1: string
  sha256: string
}

export type Bytes = AsyncIterable<Uint8Array>

/** The bytes of files, on disk, so that large files take no memory. */
export class BlobStore {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async open(): Promise<BlobStore> {
    return new BlobStore(await mkdtemp(join(tmpdir(), 'sandbox-box-')))
  }

  get folder(): string {
    return this.#folder
  }

  /** Stores all of the bytes or none: an upload that the client aborts leaves nothing behind. */
  async write(bytes: Bytes): Promise<StoredBlob> {
    const path = join(this.#folder, randomUUID())
    const sha1 = createHash('sha1')
    const sha256 = createHash('sha256')
    let size = 0
    async function* measured() {
      for await (const chunk of bytes) {
        sha1.update(chunk)
        sha256.update(chunk)
        size += chunk.length
        yield chunk
      }
    }
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(measured())
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await file.close()
    }
    return { path, size, sha1: sha1.digest('hex'), sha256: sha256.digest('hex') }
  }

  async join(blobs: readonly StoredBlob[]): Promise<StoredBlob> {
    async function* all() {
      for (const blob of blobs) yield* readBlob(blob) as Bytes
    }
    return this.write(all())
  }

  async delete(...blobs: StoredBlob[]): Promise<void> {
    await Promise.all(blobs.map(({ path }) => rm(path, { force: true })))
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }
}

export function readBlob(blob: StoredBlob, length = blob.size): ReadStream {
  // `end` is inclusive, so a part has at least one byte.
  return createReadStream(blob.path, length === blob.size ? {} : { end: Math.max(0, length - 1) })
}
