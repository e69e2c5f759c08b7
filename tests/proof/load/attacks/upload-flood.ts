import { randomUUID } from 'node:crypto'
import { openUpload } from '../../../support/attacks/open-upload.ts'
import { FORM_END, formStart } from '../../../support/attacks/target.ts'
import type { Target } from '../../../support/attacks/target.ts'

/** Uploads small files as fast as possible. Returns the number of uploads by status; 0 means no response. */
export async function uploadFlood(
  target: Target,
  file: (n: number) => Buffer,
  { count = 300, concurrency = 5, durationMs = 60_000 } = {},
): Promise<Record<number, number>> {
  const deadline = Date.now() + durationMs
  const statuses: Record<number, number> = {}
  let sent = 0
  const sendRepeatedly = async () => {
    while (sent < count && Date.now() < deadline) {
      sent += 1
      const body = Buffer.concat([
        Buffer.from(formStart(`${randomUUID()}.pdf`)),
        file(sent),
        Buffer.from(FORM_END),
      ])
      const { request, response } = openUpload(target, body.length)
      request.end(body)
      const status = await response.then(
        (received) => received.status,
        () => 0,
      )
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sendRepeatedly))
  return statuses
}
