import {
  cannotCheckFiles,
  fileHasProgram,
  fileProtected,
  fileUnreadable,
} from '@guidon/contract/document-refusals'
import type { Refusal } from '@guidon/contract/refusal'
import type { Accepted } from '../protocol.ts'
import { inflatesTooFar } from './inflation.ts'
import { attachmentRefusal } from './pdf-attachments.ts'
import { PdfFindings } from './pdf-findings.ts'
import { namesLaunch } from './pdf-names.ts'
import { readObjects } from './pdf-objects.ts'
import { hasProgram } from './programs.ts'
import { runReader } from './run-reader.ts'

/** Viewers search the end marker in the last kilobyte; the rest allows for padding after it. */
const END_WINDOW = 8 * 1024
const HEAD_WINDOW = 1024

export async function checkPdf(bytes: Buffer): Promise<Refusal | Accepted> {
  if (hasProgram(bytes) || namesLaunch(bytes)) return fileHasProgram
  if (!isWhole(bytes)) return fileUnreadable
  const refusal = await openingRefusal(bytes.length)
  if (refusal) return refusal
  if (await inflatesTooFar(bytes)) return fileUnreadable
  return checkContents(bytes.length)
}

/** Viewers and our readers repair a truncated PDF, with pages missing, so the end is checked here. */
function isWhole(bytes: Buffer): boolean {
  const end = bytes.subarray(-END_WINDOW).toString('latin1')
  // Only padding may follow the end marker.
  if (!/%%EOF[\s\0]*$/.test(end)) return false
  const head = bytes.toString('latin1', 0, HEAD_WINDOW)
  // A linearized file has an early end marker too, but states its full length.
  const [, length] = /\/Linearized\b[^>]*?\/L\s+(\d+)/.exec(head) ?? []
  return length === undefined || Number(length) <= bytes.length
}

async function openingRefusal(size: number): Promise<Refusal | undefined> {
  const result = await runReader('pdfinfo', ['-f', '1', '-l', '1', '/dev/stdin'], { size })
  const outputMatches = (pattern: RegExp) => pattern.test(`${result.output}\n${result.errors}`)
  if (outputMatches(/^Encrypted:\s+yes|Incorrect password|security handler/m)) return fileProtected
  // Without a size, the first page is missing.
  const isReadable =
    outputMatches(/^Encrypted:\s+no/m) && outputMatches(/^Page\s+1 size:\s+[\d.]*[1-9]/m)
  if (result.exit === 0 && isReadable) return undefined
  return result.timedOut ? cannotCheckFiles : fileUnreadable
}

async function checkContents(size: number): Promise<Refusal | Accepted> {
  const findings = new PdfFindings()
  const read = await readObjects(size, findings)
  if (read === 'encrypted') return fileProtected
  if (read === 'timed out') return cannotCheckFiles
  // Only decompression bombs are packed twice.
  if (read === 'unreadable' || findings.isPackedTwice()) return fileUnreadable
  if (findings.startsProgram) return fileHasProgram
  const refusal = await attachmentRefusal(findings, size)
  return refusal ?? { flags: findings.hasScripts ? ['scripts'] : [] }
}
