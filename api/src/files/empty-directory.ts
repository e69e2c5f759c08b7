import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Longer than any upload takes, so older files were left by a process that died. */
const MAX_FILE_AGE_MS = 3_600_000

/** Creates a private folder, or deletes what earlier processes left in it. */
export async function emptyDirectory(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  for (const name of await readdir(path)) {
    const left = join(path, name)
    const { mtimeMs } = await stat(left).catch(() => ({ mtimeMs: Infinity }))
    if (mtimeMs < Date.now() - MAX_FILE_AGE_MS) await rm(left, { recursive: true, force: true })
  }
  return path
}
