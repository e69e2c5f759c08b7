import type { PdfFindings } from './pdf-findings.ts'
import { beginsAsProgram } from './programs.ts'
import { runReader } from './run-reader.ts'

/** A folder of papers in one PDF has some; each costs a process. */
const MOST_FILES = 30
/** Where the second header of a program for Windows is. */
const BEGINNING = 4 * 1024

/** What a double click would run, or what runs with a document of its name. */
const RUNNABLE =
  /\.(?:exe|com|scr|pif|bat|cmd|msi|msp|dll|cpl|hta|jse?|vb[es]?|wsf|wsh|ps1|psm1|jar|lnk|url|reg|inf|sct|chm|sh|command|app|apk|dmg|pkg|iso|img|docm|xlsm|pptm)[\s.]*$/i

/** Whether one of the attached files is a program, by its name or by its content. */
export async function carriesProgram(findings: PdfFindings, size: number): Promise<boolean> {
  if (findings.fileNames.some((name) => RUNNABLE.test(readable(name)))) return true
  const files = [...new Set(findings.files())]
  // Nobody can be asked to look through so many.
  if (files.length > MOST_FILES) return true
  for (const reference of files) {
    const [number, generation] = reference.split(' ')
    const args = [`--show-object=${number},${generation}`, '--filtered-stream-data', '/dev/stdin']
    const { output } = await runReader('qpdf', args, { size, enoughOutput: BEGINNING })
    if (beginsAsProgram(Buffer.from(output, 'latin1'))) return true
  }
  return false
}

/** Strings that are no text come as the digits of their bytes. */
function readable(text: string): string {
  return text.startsWith('b:')
    ? Buffer.from(text.slice(2), 'hex').toString('latin1')
    : text.slice(2)
}
