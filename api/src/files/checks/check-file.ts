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
import { NoChecker } from './checkers.ts'
import type { Checkers, InspectionResult } from './checkers.ts'
import { ScannerDown } from './clamd.ts'
import type { Scanner } from './clamd.ts'
import { KIND_BYTES, kindOf } from './kind-of.ts'

export type { Accepted, FileKind } from '../../checker/protocol.ts'
export type Verdict = InspectionResult

export interface Checks {
  checkers: Checkers
  scanner: Scanner
}

/**
 * Checks the content of an uploaded file, never its name, with the cheap checks first. This process reads
 * only the first bytes; everything else is read by a checker and by the malware scanner.
 */
export async function checkFile(
  path: string,
  /** `priority` is a `nice` value: 0 is that of this process, 19 the lowest. */
  { scanner, checkers, priority = 0 }: Checks & { priority?: number },
): Promise<Verdict> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > DOCUMENT_MAX_BYTES) return { refusal: fileTooLarge }
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(KIND_BYTES), position: 0 })
    const kind = kindOf(buffer.subarray(0, bytesRead))
    if (kind === undefined) return { refusal: wrongFileType }
    const inspected = await inspect(file, { kind, size, priority }, checkers)
    if ('refusal' in inspected) return inspected
    const refusal = await malwareRefusal(path, scanner)
    return refusal ? { refusal } : inspected
  } finally {
    await file.close()
  }
}

async function inspect(
  file: FileHandle,
  asked: Parameters<Checkers['inspect']>[1],
  checkers: Checkers,
): Promise<InspectionResult> {
  try {
    return await checkers.inspect(file, asked)
  } catch (error) {
    if (error instanceof NoChecker) return { refusal: cannotCheckFiles }
    throw error
  }
}

async function malwareRefusal(path: string, scanner: Scanner): Promise<Refusal | undefined> {
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
