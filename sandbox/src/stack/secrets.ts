import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KEY_BYTES = 32

const NAMES = ['TOKEN_KEY', 'PASSWORD_PEPPER', 'DATA_KEYS'] as const
type Secrets = Record<(typeof NAMES)[number], string>

/** Made once and kept beside the data: with other keys, what is stored would fit no more. */
export function stackSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json')
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Secrets) : {}
  const made = NAMES.map((name) => [name, randomBytes(KEY_BYTES).toString('base64')])
  const secrets = { ...Object.fromEntries(made), ...kept } as Secrets
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  return secrets
}
