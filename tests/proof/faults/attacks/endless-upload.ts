import { setTimeout as delay } from 'node:timers/promises'
import { openUpload } from '../../../support/attacks/open-upload.ts'
import { formStart } from '../../../support/attacks/target.ts'
import type { Target } from '../../../support/attacks/target.ts'

const MEGABYTE = 1024 * 1024
const WAIT_MS = 5_000

/** How the body starts, by the part of it that never ends. */
export const ENDLESS_BODY_STARTS = {
  file: formStart('endless.pdf'),
  preamble: 'x',
  'part header': '--attack-boundary\r\nX: ',
  field: '--attack-boundary\r\nContent-Disposition: form-data; name="documentType"\r\n\r\n',
} as const

/** Sends an endless chunked body until the server closes the connection or the megabytes are sent. */
export async function endlessUpload(
  target: Target,
  where: keyof typeof ENDLESS_BODY_STARTS = 'file',
  megabytes = 400,
): Promise<{ status: number | undefined; megabytes: number; closed: boolean }> {
  const { request, status, response, closed } = openUpload(target)
  const chunk = Buffer.alloc(MEGABYTE, 0x41)
  request.write(ENDLESS_BODY_STARTS[where])
  const ended = new Promise<void>((resolve) => request.once('close', () => resolve()))
  let sent = 0
  while (sent < megabytes && !closed()) {
    sent += 1
    await Promise.race([
      new Promise<void>((resolve) => request.write(chunk, () => resolve())),
      ended,
      delay(WAIT_MS),
    ])
  }
  await Promise.race([response.catch(() => {}), delay(WAIT_MS)])
  const result = { status: status(), megabytes: sent, closed: closed() }
  request.destroy()
  return result
}
