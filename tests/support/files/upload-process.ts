import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { boxFiles } from '../../../api/src/files/box/box-files.ts'
import type { BoxFilesOptions } from '../../../api/src/files/box/box-files.ts'
import type { Content } from '../../../api/src/files/port.ts'
import { runTasks } from '../outside/run-tasks.ts'

/** Uploads, replaces and downloads generated files in its own process, so that a test can measure the adapter's memory. */

const MB = 1_000_000
const CHUNK = 64 * 1024
const MEASURE_EVERY = 128 * CHUNK

let peak = 0

/** Measures what the adapter holds, without garbage that waits for its collection. */
function measureMemory() {
  globalThis.gc!()
  globalThis.gc!() // frees the buffers that the first call found
  const { heapUsed, external } = process.memoryUsage()
  peak = Math.max(peak, heapUsed + external)
}

/** Every chunk is new memory, as when reading from a disk. */
function* chunks(size: number, chunk: Buffer) {
  for (let at = 0; at < size; at += CHUNK) {
    if (at % MEASURE_EVERY === 0) measureMemory()
    yield Buffer.from(chunk.subarray(0, size - at))
  }
}

function content(name: string, size: number, seed: string): Content {
  const chunk = Buffer.alloc(CHUNK, seed)
  const hash = createHash('sha1')
  for (let at = 0; at < size; at += CHUNK) hash.update(chunk.subarray(0, size - at))
  const open = () => Readable.from(chunks(size, chunk), { objectMode: false })
  return { name, size, sha1: hash.digest('hex'), open }
}

async function send(options: Omit<BoxFilesOptions, 'log'>, sizes: number[]) {
  const files = boxFiles({ ...options, log: { warn: () => undefined } })
  const folderId = await files.folder('veteran-1', 'a1')
  const id = await files.upload(folderId, content('warm-up.pdf', MB, 'w'))
  measureMemory()
  const before = peak
  const growth: number[] = []
  for (const [index, size] of sizes.entries()) {
    await files.upload(folderId, content(`${index}.pdf`, size, 'a'))
    await files.replace(id, content('warm-up.pdf', size, 'b'), async () => true)
    let received = 0
    let measured = 0
    for await (const chunk of (await files.download(id, async () => true)).bytes) {
      received += (chunk as Buffer).length
      if (received - measured < MEASURE_EVERY) continue
      measured = received
      measureMemory()
    }
    if (received !== size) throw new Error(`${received} bytes were downloaded`)
    growth.push(peak - before)
  }
  await files.close()
  return growth
}

export interface UploadTask {
  options: Omit<BoxFilesOptions, 'log'>
  sizes: number[]
}

runTasks(({ options, sizes }: UploadTask) => send(options, sizes))
