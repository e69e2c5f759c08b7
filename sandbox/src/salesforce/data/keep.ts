import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Org } from './org.ts'

const SETTLED_MS = 500

/** Keeps an org in a file from run to run. Answers whether there was one. */
export function keepIn(file: string, org: Org): { found: boolean; close: () => void } {
  const found = existsSync(file)
  if (found) org.restore(JSON.parse(readFileSync(file, 'utf8')) as ReturnType<Org['snapshot']>)
  const write = () => {
    // Whole or not at all, should the process die meanwhile.
    writeFileSync(`${file}.new`, JSON.stringify(org.snapshot()), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  let timer: NodeJS.Timeout | undefined
  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(write, SETTLED_MS).unref()
  }
  org.changes.on('change', later)
  return {
    found,
    close: () => {
      org.changes.off('change', later)
      clearTimeout(timer)
      write()
    },
  }
}
