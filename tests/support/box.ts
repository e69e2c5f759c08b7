import { startBox } from '@guidon/sandbox/box/box'
import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import type { Client } from 'pg'
import { afterFile } from './after-file.ts'

/** A sandbox of Box (the file store) for one test file, so that failures that one file sets affect no other tests. */
export async function newBox() {
  const limits = { callsPerMinute: 100_000, uploadsPerMinute: 100_000 }
  const box = await startBox({ limits })
  afterFile(() => box.close())
  const environment = { BOX_API_URL: box.url, BOX_UPLOAD_URL: box.uploadUrl }
  return Object.assign(new BoxSandboxClient(box.url), { environment })
}

/** Returns the folder of the account, which gets a new one if it has none. */
export async function folderOf(
  box: BoxSandboxClient,
  sql: Pick<Client, 'query'>,
  userId: string,
): Promise<string> {
  const { rows } = await sql.query<{ folder: string | null }>(
    'select box_folder_id as folder from users where id = $1',
    [userId],
  )
  if (rows[0]?.folder) return rows[0].folder
  const { id } = await box.addFolder(`Veteran ${userId}`)
  await sql.query('update users set box_folder_id = $2 where id = $1', [userId, id])
  return id
}
