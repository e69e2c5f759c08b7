import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KEY_BYTES = 32

const NAMES = ['TOKEN_KEY', 'PASSWORD_PEPPER', 'DATA_KEYS'] as const
type Secrets = Record<(typeof NAMES)[number], string>

/** Created once and kept beside the data, which other keys could not decrypt or verify. */
export function stackSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json')
  const existing = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Secrets) : {}
  const created = NAMES.map((name) => [name, randomBytes(KEY_BYTES).toString('base64')])
  const secrets = { ...Object.fromEntries(created), ...existing } as Secrets
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  return secrets
}
