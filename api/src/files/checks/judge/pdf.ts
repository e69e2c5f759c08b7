import {
  cannotCheckFiles,
  fileHasProgram,
  fileProtected,
  fileUnreadable,
} from '@guidon/contract/document-refusals'
import type { Refusal } from '@guidon/contract/refusal'
import { inflatesTooFar } from './inflation.ts'
import type { FileFlag } from './judgement.ts'
import { attachmentRefusal } from './pdf-attachments.ts'
import { PdfFindings } from './pdf-findings.ts'
import { namesLaunch } from './pdf-names.ts'
import { readObjects } from './pdf-objects.ts'
import { hasProgram } from './programs.ts'
import { runReader } from './run-reader.ts'

/** How far before its end a whole PDF says that it ends: what viewers look through, and some padding. */
const END_WINDOW = 8 * 1024
const HEAD_WINDOW = 1024

/** The refusal, or what to know of a PDF that opens without a password and starts nothing. */
export async function checkPdf(bytes: Buffer): Promise<Refusal | FileFlag[]> {
  if (hasProgram(bytes) || namesLaunch(bytes)) return fileHasProgram
  if (!isWhole(bytes)) return fileUnreadable
  const refusal = await opening(bytes.length)
  if (refusal) return refusal
  if (await inflatesTooFar(bytes)) return fileUnreadable
  return contents(bytes.length)
}

/** Viewers mend a PDF that breaks off, with pages missing, and so do the readers here: so it is looked at. */
function isWhole(bytes: Buffer): boolean {
  const end = bytes.subarray(-END_WINDOW).toString('latin1')
  // What follows the end is not the PDF's: padding does no harm, anything else has no business there.
  if (!/%%EOF[\s\0]*$/.test(end)) return false
  const head = bytes.toString('latin1', 0, HEAD_WINDOW)
  // A file for the web has a first end early on, and says how long it is in all.
  const [, length] = /\/Linearized\b[^>]*?\/L\s+(\d+)/.exec(head) ?? []
  return length === undefined || Number(length) <= bytes.length
}

async function opening(size: number): Promise<Refusal | undefined> {
  const ran = await runReader('pdfinfo', ['-f', '1', '-l', '1', '/dev/stdin'], { size })
  const says = (pattern: RegExp) => pattern.test(`${ran.output}\n${ran.errors}`)
  if (says(/^Encrypted:\s+yes|Incorrect password|security handler/m)) return fileProtected
  // A first page without a size is one that is not there.
  const isOpen = says(/^Encrypted:\s+no/m) && says(/^Page\s+1 size:\s+[\d.]*[1-9]/m)
  if (ran.exit === 0 && isOpen) return undefined
  return ran.isLate ? cannotCheckFiles : fileUnreadable
}

async function contents(size: number): Promise<Refusal | FileFlag[]> {
  const findings = new PdfFindings()
  const read = await readObjects(size, findings)
  if (read === 'encrypted') return fileProtected
  if (read === 'late') return cannotCheckFiles
  // Nobody packs twice, but it makes a bomb of a few kilobytes.
  if (read === 'unreadable' || findings.isPackedTwice()) return fileUnreadable
  if (findings.startsProgram) return fileHasProgram
  const refusal = await attachmentRefusal(findings, size)
  return refusal ?? (findings.hasScripts ? ['scripts'] : [])
}
