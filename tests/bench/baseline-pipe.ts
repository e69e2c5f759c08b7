import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** The baseline for uploads: receives files and writes them to disk, in a separate process. */

export interface PipeTask {
  directory: string
}

process.on('message', ({ directory }: PipeTask) => {
  let files = 0
  const server = createServer((request, response) => {
    files += 1
    // Overwrites the same eight files, so that the disk does not fill up.
    const file = createWriteStream(join(directory, `baseline-${process.pid}-${files % 8}`))
    pipeline(request, file).then(
      () => response.end(),
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
