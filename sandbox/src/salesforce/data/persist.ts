import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Org } from './org.ts'

const WRITE_AFTER_MS = 500

/** Restores an org from the file, if it exists, and writes it there after each change. */
export function persistOrg(file: string, org: Org): { found: boolean; close: () => void } {
  const found = existsSync(file)
  if (found) org.restore(JSON.parse(readFileSync(file, 'utf8')) as ReturnType<Org['snapshot']>)
  const write = () => {
    // Renamed when complete, so that a crash leaves no partial file.
    writeFileSync(`${file}.new`, JSON.stringify(org.snapshot()), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  let timer: NodeJS.Timeout | undefined
  const writeLater = () => {
    clearTimeout(timer)
    timer = setTimeout(write, WRITE_AFTER_MS).unref()
  }
  org.changes.on('change', writeLater)
  return {
    found,
    close: () => {
      org.changes.off('change', writeLater)
      clearTimeout(timer)
      write()
    },
  }
}
