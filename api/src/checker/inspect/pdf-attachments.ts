import {
  cannotCheckFiles,
  fileHasProgram,
  fileUnreadable,
  tooManyAttachments,
} from '@guidon/contract/document-refusals'
import type { Refusal } from '@guidon/contract/refusal'
import type { PdfFindings } from './pdf-findings.ts'
import { beginsAsProgram } from './programs.ts'
import { runReader } from './run-reader.ts'

/** Each attachment costs a process. */
const MAX_ATTACHMENTS = 30
/** For all attachments together. */
const TIMEOUT_MS = 5_000
const OK = 0
const WITH_WARNINGS = 3
/** Long enough for the second header of a Windows program. */
const HEAD_BYTES = 4 * 1024

/** File names that a double click runs, and documents with macros. */
const RUNNABLE =
  /\.(?:exe|com|scr|pif|bat|cmd|msi|msp|dll|cpl|hta|jse?|vb[es]?|wsf|wsh|ps1|psm1|jar|lnk|url|reg|inf|sct|chm|sh|command|app|apk|dmg|pkg|iso|img|docm|xlsm|pptm)[\s.]*$/i

/**
 * Refuses attached programs, by name or content, and attachments that cannot be read. The PDF is the standard input of
 * this process, which qpdf inherits.
 */
export async function attachmentRefusal(
  findings: PdfFindings,
  pdfSize: number,
): Promise<Refusal | undefined> {
  if (findings.fileNames.some((name) => RUNNABLE.test(readable(name)))) return fileHasProgram
  const files = [...new Set(findings.files())]
  if (files.length > MAX_ATTACHMENTS) return tooManyAttachments
  const until = performance.now() + TIMEOUT_MS
  for (const reference of files) {
    const [number, generation] = reference.split(' ')
    const args = [`--show-object=${number},${generation}`, '--filtered-stream-data', '/dev/stdin']
    const result = await runReader('qpdf', args, { size: pdfSize, enoughOutput: HEAD_BYTES })
    if (beginsAsProgram(Buffer.from(result.output, 'latin1'))) return fileHasProgram
    if (result.timedOut || performance.now() > until) return cannotCheckFiles
    const isEnough = result.output.length >= HEAD_BYTES
    if (!isEnough && result.exit !== OK && result.exit !== WITH_WARNINGS) return fileUnreadable
  }
  return undefined
}

/** qpdf writes a string as `u:` and its text, or as `b:` and hex digits if it is binary. */
function readable(text: string): string {
  return text.startsWith('b:')
    ? Buffer.from(text.slice(2), 'hex').toString('latin1')
    : text.slice(2)
}
