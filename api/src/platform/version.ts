import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const manifest = resolve(import.meta.dirname, '../../package.json')

/** The release that this process runs. */
export const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
