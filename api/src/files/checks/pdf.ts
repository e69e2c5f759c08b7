import type { FileHandle } from 'node:fs/promises'
import { cannotCheckFiles, fileProtected, fileUnreadable } from '@guidon/contract/document-refusals'
import type { Refusal } from '@guidon/contract/refusal'
import { boundedRun } from './bounded-run.ts'
import type { Ran } from './bounded-run.ts'
import { inflatesTooFar } from './inflation.ts'
import { readAt } from './read-at.ts'

/** How far before its end a whole PDF says that it ends: what viewers look through, and some padding. */
const END_WINDOW = 8 * 1024
const HEAD_WINDOW = 1024

const IS_ENCRYPTED = 0
const IS_NOT_ENCRYPTED = 2

/** The refusal, or nothing where it is a PDF that opens without a password. */
export async function checkPdf(path: string, file: FileHandle, size: number) {
  if (!(await isWhole(file, size))) return fileUnreadable
  const refusal = (await encryption(path)) ?? (await opening(path))
  return refusal ?? ((await inflatesTooFar(path, file, size)) ? fileUnreadable : undefined)
}

/** Viewers mend a PDF that breaks off, with pages missing, and so do the readers here: so it is looked at. */
async function isWhole(file: FileHandle, size: number): Promise<boolean> {
  const end = await readAt(file, Math.max(0, size - END_WINDOW), END_WINDOW)
  // What follows the end is not the PDF's: padding does no harm, anything else has no business there.
  if (!/%%EOF[\s\0]*$/.test(end)) return false
  const head = await readAt(file, 0, HEAD_WINDOW)
  // A file for the web has a first end early on, and says how long it is in all.
  const [, length] = /\/Linearized\b[^>]*?\/L\s+(\d+)/.exec(head) ?? []
  return length === undefined || Number(length) <= size
}

/**
 * Finds user and owner passwords, the empty one too. Never `--check`: it unpacks every stream, and 1 MB
 * of a hostile file took 3 GB.
 */
async function encryption(path: string): Promise<Refusal | undefined> {
  const ran = await boundedRun('qpdf', ['--is-encrypted', path])
  if (ran.exit === IS_ENCRYPTED) return fileProtected
  // Broken files get the same answer; the next reader tells them apart.
  if (ran.exit === IS_NOT_ENCRYPTED && !isOutOfMemory(ran)) return undefined
  return ran.isLate ? cannotCheckFiles : fileUnreadable
}

async function opening(path: string): Promise<Refusal | undefined> {
  const ran = await boundedRun('pdfinfo', ['-f', '1', '-l', '1', path])
  const says = (pattern: RegExp) => pattern.test(ran.output)
  if (says(/^Encrypted:\s+yes|Incorrect password|security handler/m)) return fileProtected
  // A first page without a size is one that is not there.
  const isOpen = says(/^Encrypted:\s+no/m) && says(/^Page\s+1 size:\s+[\d.]*[1-9]/m)
  if (ran.exit === 0 && isOpen) return undefined
  return ran.isLate ? cannotCheckFiles : fileUnreadable
}

const isOutOfMemory = ({ output }: Ran) => /bad_alloc|out of memory/i.test(output)
