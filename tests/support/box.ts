import { startBox } from '@guidon/sandbox/box/box'
import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import { afterFile } from './after-file.ts'

/** A sandbox of Box (the file store) for one test file, so that failures that one file sets affect no other tests. */
export async function newBox() {
  const limits = { callsPerMinute: 100_000, uploadsPerMinute: 100_000 }
  const box = await startBox({ limits })
  afterFile(() => box.close())
  const environment = { BOX_API_URL: box.url, BOX_UPLOAD_URL: box.uploadUrl }
  return Object.assign(new BoxSandboxClient(box.url), { environment })
}
