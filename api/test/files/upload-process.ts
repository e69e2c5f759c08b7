import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { boxFiles } from '../../src/files/box/box-files.ts'
import type { BoxFilesOptions } from '../../src/files/box/box-files.ts'
import type { Content } from '../../src/files/port.ts'

/** Uploads, replaces and downloads generated files in its own process, so that a test can measure the adapter's memory. */

const MB = 1_000_000
const CHUNK = 64 * 1024
const COLLECT_EVERY = 128 * CHUNK

/** Every chunk is new memory, as when reading from a disk. */
function* chunks(size: number, chunk: Buffer) {
  for (let at = 0; at < size; at += CHUNK) {
    if (at % COLLECT_EVERY === 0) collectGarbage()
    yield Buffer.from(chunk.subarray(0, size - at))
  }
}

/** So that the measured memory is what the adapter holds. */
function collectGarbage() {
  globalThis.gc!()
}

function content(name: string, size: number, seed: string): Content {
  const chunk = Buffer.alloc(CHUNK, seed)
  const hash = createHash('sha1')
  for (let at = 0; at < size; at += CHUNK) hash.update(chunk.subarray(0, size - at))
  const open = () => Readable.from(chunks(size, chunk), { objectMode: false })
  return { name, size, sha1: hash.digest('hex'), open }
}

const peakMemory = () => process.resourceUsage().maxRSS * 1024

async function send(options: Omit<BoxFilesOptions, 'log'>, sizes: number[]) {
  const files = boxFiles({ ...options, log: { warn: () => undefined } })
  const folderId = await files.folder('veteran-1')
  const id = await files.upload(folderId, content('warm-up.pdf', MB, 'w'))
  const before = peakMemory()
  const growth: number[] = []
  for (const [index, size] of sizes.entries()) {
    await files.upload(folderId, content(`${index}.pdf`, size, 'a'))
    await files.replace(id, content('warm-up.pdf', size, 'b'))
    let received = 0
    let collected = 0
    for await (const chunk of (await files.download(id)).bytes) {
      received += (chunk as Buffer).length
      if (received - collected < COLLECT_EVERY) continue
      collected = received
      collectGarbage()
    }
    if (received !== size) throw new Error(`${received} bytes were downloaded`)
    growth.push(peakMemory() - before)
  }
  await files.close()
  return growth
}

process.once('message', ({ options, sizes }: { options: BoxFilesOptions; sizes: number[] }) => {
  const report = async () => {
    process.send!(await send(options, sizes))
    process.disconnect()
  }
  void report()
})
