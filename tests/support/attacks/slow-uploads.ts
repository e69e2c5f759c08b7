import { openUpload } from './open-upload.ts'
import type { OpenUpload } from './open-upload.ts'
import { formStart } from './target.ts'
import type { Target } from './target.ts'

const MEGABYTE = 1024 * 1024

interface SlowUploads {
  uploads: OpenUpload[]
  /** The number of uploads without a response on an open connection. */
  open(): number
  stop(): void
}

/** Starts uploads of 100 MB, sends the first megabytes of each, and then a byte at intervals. */
export async function slowUploads(
  target: Target,
  { count = 10, megabytes = 1, everyMs = 1_000 } = {},
): Promise<SlowUploads> {
  const uploads = Array.from({ length: count }, () => openUpload(target, 100 * MEGABYTE))
  const part = Buffer.alloc(MEGABYTE, 0x41)
  await Promise.all(
    uploads.map(async ({ request, closed, status }, n) => {
      request.write(`${formStart(`slow-${n}.pdf`)}%PDF-1.4\n`)
      for (let sent = 0; sent < megabytes && !closed() && status() === undefined; sent += 1) {
        await new Promise<void>((resolve) => {
          request.once('close', resolve)
          request.write(part, () => resolve())
        })
      }
    }),
  )
  const trickle = setInterval(() => {
    for (const { request, closed } of uploads) if (!closed()) request.write('A')
  }, everyMs)
  return {
    uploads,
    open: () =>
      uploads.filter((upload) => !upload.closed() && upload.status() === undefined).length,
    stop: () => {
      clearInterval(trickle)
      for (const { request } of uploads) request.destroy()
    },
  }
}
