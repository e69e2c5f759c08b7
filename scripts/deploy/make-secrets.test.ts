import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const script = resolve(import.meta.dirname, '../../deploy/make-secrets')
const folder = mkdtempSync(join(tmpdir(), 'guidon-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function make(name: string, ...args: string[]): string {
  const env = { ...process.env, SECRETS_DIR: join(folder, name) }
  return execFileSync(script, args, { env, encoding: 'utf8', stdio: 'pipe' })
}
const read = (name: string, secret: string) => readFileSync(join(folder, name, secret), 'utf8')
const all = (name: string) => readdirSync(join(folder, name)).map((secret) => read(name, secret))

// Only root can change the owner of a file.
describe.runIf(userInfo().uid === 0)('make-secrets', () => {
  it('creates keys of 32 bytes that only their user can read', () => {
    make('first')
    for (const secret of ['token-key', 'backup-passphrase']) {
      expect(Buffer.from(read('first', secret).trim(), 'base64')).toHaveLength(32)
    }
    for (const secret of readdirSync(join(folder, 'first'))) {
      const { mode, uid } = statSync(join(folder, 'first', secret))
      expect({ secret, mode: mode & 0o777, isReader: [10001, 999, 65534].includes(uid) }).toEqual({
        secret,
        mode: 0o600,
        isReader: true,
      })
    }
  })

  it('lists the missing files, and never prints a secret', () => {
    const output = make('first')
    expect(read('first', 'bounce-url')).toBe('')
    expect(output).toMatch(/smtp-url salesforce-client-secret box-client-secret tls\.pem/)
    const secrets = all('first').filter(Boolean)
    for (const secret of secrets) expect(output).not.toContain(secret.trim())
  })

  it('does not change existing files', () => {
    const contentsBefore = all('first')
    make('first')
    expect(all('first')).toEqual(contentsBefore)
  })

  it('explains itself with --help, and creates nothing', () => {
    expect(make('help', '--help')).toMatch(/^Usage: make-secrets \[--trial\]\nCreates the secrets/)
    expect(() => make('help', '--triall')).toThrow('Usage: make-secrets [--trial]')
    expect(existsSync(join(folder, 'help'))).toBe(false)
  })

  it('needs only one of the two secrets of Salesforce', () => {
    writeFileSync(join(folder, 'first', 'salesforce-private-key'), 'a key')
    expect(make('first')).toMatch(/smtp-url box-client-secret tls\.pem/)
    expect(read('first', 'salesforce-client-secret')).toBe('')
  })

  it('creates all files for a trial', () => {
    expect(make('trial', '--trial')).not.toMatch(/Still/)
    expect(read('trial', 'tls.pem')).toMatch(/BEGIN CERTIFICATE/)
    const { password } = new URL(read('trial', 'database-url'))
    expect(password).toBe(read('trial', 'database-web-password').trim())
  })
})
