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
import { judge } from './judge.ts'
import type { FileFlag, FileKind } from './judge/judgement.ts'

export type { FileFlag, FileKind } from './judge/judgement.ts'
export type Verdict = { kind: FileKind; flags: FileFlag[] } | { refusal: Refusal }

/**
 * What an uploaded file must pass. Only its content counts, never its name. From cheap to costly, so that
 * most of what is refused costs nothing. Nothing here looks further into the file than its first bytes.
 */
export async function checkFile(
  path: string,
  /** The priority as `nice` has it: 0 for that of this process, 19 for the lowest. */
  { scanner, priority = 0 }: { scanner: Scanner; priority?: number },
): Promise<Verdict> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > DOCUMENT_MAX_BYTES) return { refusal: fileTooLarge }
    const kind = await kindOf(file)
    if (kind === undefined) return { refusal: wrongFileType }
    const judged = await judge(file, kind, { size, priority })
    if ('refusal' in judged) return judged
    const refusal = await malware(path, scanner)
    return refusal ? { refusal } : judged
  } finally {
    await file.close()
  }
}

async function kindOf(file: FileHandle): Promise<FileKind | undefined> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(5), position: 0 })
  const head = buffer.toString('latin1', 0, bytesRead)
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
