import { fstatSync, readSync, writeSync } from 'node:fs'
import { argv } from 'node:process'
import { wrongFileType } from '@guidon/contract/document-refusals'
import type { FileKind, Inspection } from '../protocol.ts'
import { dropPrivileges } from './drop-privileges.ts'
import { endsAsZip } from './zip-end.ts'

/** Inspects the file on standard input. Writes `started`, then the result as a line of JSON. */

const INPUT = 0
const OUTPUT = 1

/** Loaded before privileges are dropped, because `nobody` may be unable to read our code. */
const checks = {
  pdf: async () => (await import('./pdf.ts')).checkPdf,
  jpeg: async () => (await import('./jpeg.ts')).checkJpeg,
}

function readInput(): Buffer {
  const bytes = Buffer.allocUnsafe(fstatSync(INPUT).size)
  let filled = 0
  while (filled < bytes.length) {
    const read = readSync(INPUT, bytes, filled, bytes.length - filled, filled)
    if (read === 0) break
    filled += read
  }
  return bytes.subarray(0, filled)
}

async function inspection(kind: FileKind): Promise<Inspection> {
  const check = await checks[kind]()
  dropPrivileges(INPUT)
  writeSync(OUTPUT, 'started\n')
  const bytes = readInput()
  // Archives are read from their end, so a PDF or JPEG can be a ZIP file at the same time.
  if (endsAsZip(bytes)) return { refusal: wrongFileType.code }
  const found = await check(bytes)
  return 'code' in found ? { refusal: found.code } : { kind, ...found }
}

writeSync(OUTPUT, `${JSON.stringify(await inspection(argv.at(-1) as FileKind))}\n`)
