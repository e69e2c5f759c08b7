import { fstatSync, readSync, writeSync } from 'node:fs'
import { argv } from 'node:process'
import { wrongFileType } from '@guidon/contract/document-refusals'
import { dropPrivileges } from './drop-privileges.ts'
import type { FileKind, Judgement } from './judgement.ts'
import { endsAsZip } from './zip-end.ts'

/** A process for one file, which is its standard input. Its answer is the second line that it writes. */

const INPUT = 0
const OUTPUT = 1

/** Loaded before the privileges go: an unprivileged user may have no right to our code. */
const checks = {
  pdf: async () => (await import('./pdf.ts')).checkPdf,
  jpeg: async () => (await import('./jpeg.ts')).checkJpeg,
}

function wholeInput(): Buffer {
  const bytes = Buffer.allocUnsafe(fstatSync(INPUT).size)
  let filled = 0
  while (filled < bytes.length) {
    const read = readSync(INPUT, bytes, filled, bytes.length - filled, filled)
    if (read === 0) break
    filled += read
  }
  return bytes.subarray(0, filled)
}

async function judgement(kind: FileKind): Promise<Judgement> {
  const check = await checks[kind]()
  dropPrivileges(INPUT)
  writeSync(OUTPUT, 'started\n')
  const bytes = wholeInput()
  // Both formats begin at byte 0, so a file can be something else too only by its end: an archive.
  if (endsAsZip(bytes)) return { refusal: wrongFileType.code }
  const found = await check(bytes)
  return Array.isArray(found) ? { kind, flags: found } : { refusal: found.code }
}

writeSync(OUTPUT, `${JSON.stringify(await judgement(argv.at(-1) as FileKind))}\n`)
