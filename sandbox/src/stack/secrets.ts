import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KEY_BYTES = 32

/** Made once and kept beside the data: with other keys, stored passwords would fit no more. */
export function stackSecrets(dataDir: string): { TOKEN_KEY: string; PASSWORD_PEPPER: string } {
  const file = join(dataDir, 'secrets.json')
  if (!existsSync(file)) {
    const key = () => randomBytes(KEY_BYTES).toString('base64')
    const secrets = { TOKEN_KEY: key(), PASSWORD_PEPPER: key() }
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  }
  return JSON.parse(readFileSync(file, 'utf8')) as { TOKEN_KEY: string; PASSWORD_PEPPER: string }
}
