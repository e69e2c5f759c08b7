import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import {
  DOCUMENT_MAX_BYTES,
  cannotCheckFiles,
  fileInfected,
  fileProtected,
  fileTooLarge,
  fileUnreadable,
  wrongFileType,
} from '@guidon/contract/document-refusals'
import type { Refusal } from '@guidon/contract/refusal'
import { ScannerDown } from './clamd.ts'
import type { Scanner } from './clamd.ts'
import { checkJpeg } from './jpeg.ts'
import { checkPdf } from './pdf.ts'
import { readAt } from './read-at.ts'
import { endsAsZip } from './zip-end.ts'

export type FileKind = 'pdf' | 'jpeg'
export type Verdict = { kind: FileKind } | { refusal: Refusal }

/**
 * What an uploaded file must pass. Only its content counts, never its name. From cheap to costly, so that
 * most of what is refused costs nothing.
 */
export async function checkFile(path: string, { scanner }: { scanner: Scanner }): Promise<Verdict> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > DOCUMENT_MAX_BYTES) return { refusal: fileTooLarge }
    const kind = await kindOf(file)
    // Both formats begin at byte 0, so a file can be something else too only by its end: an archive.
    if (kind === undefined || (await endsAsZip(file, size))) return { refusal: wrongFileType }
    const refusal =
      (kind === 'pdf' ? await checkPdf(path, file, size) : await checkJpeg(path)) ??
      (await malware(path, scanner))
    return refusal ? { refusal } : { kind }
  } finally {
    await file.close()
  }
}

async function kindOf(file: FileHandle): Promise<FileKind | undefined> {
  const head = await readAt(file, 0, 5)
  if (head === '%PDF-') return 'pdf'
  return head.startsWith('\u00ff\u00d8\u00ff') ? 'jpeg' : undefined
}

async function malware(path: string, scanner: Scanner): Promise<Refusal | undefined> {
  try {
    const found = await scanner.scan(path)
    return {
      clean: undefined,
      infected: fileInfected,
      protected: fileProtected,
      too_complex: fileUnreadable,
    }[found]
  } catch (error) {
    if (error instanceof ScannerDown) return cannotCheckFiles
    throw error
  }
}
