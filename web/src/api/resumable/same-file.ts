import type { Refusal } from '@guidon/contract/refusal'
import type { UnfinishedUpload } from '@guidon/contract/resumable-uploads'
import { sha256Of } from '../sha256.ts'

/** A file that was moved, changed or deleted after it was chosen. */
export const fileGone: Refusal = {
  status: 422,
  code: 'file_gone',
  message: 'We can no longer open this file on your device. Please choose it again.',
}

/** Whether the stored part of an upload is the beginning of this file. Reads one chunk at a time. */
export async function isSameFile(
  file: File,
  { size, offset, chunks }: Pick<UnfinishedUpload, 'size' | 'offset' | 'chunks'>,
): Promise<boolean> {
  if (file.size !== size) return false
  for (const [index, { start, sha256 }] of chunks.entries()) {
    const chunk = file.slice(start, chunks[index + 1]?.start ?? offset)
    if ((await sha256Of(chunk)) !== sha256) return false
  }
  return true
}
