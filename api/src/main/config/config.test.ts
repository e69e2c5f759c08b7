import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fastify } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { bounceAccess, passwordPeppers, smtpAccess } from './access.ts'
import { ConfigError, parseConfig } from './config.ts'
import { configurationPage } from './page.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const complete = {
  DATABASE_URL: 'postgres://guidon@localhost/guidon',
  PUBLIC_URL: 'https://portal.example.org',
  TOKEN_KEY: key,
  PASSWORD_PEPPER: key,
  DATA_KEYS: key,
  SMTP_URL: 'smtp://relay.example.org',
}

const folder = mkdtempSync(join(tmpdir(), 'guidon-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
function fileWith(text: string): string {
  const path = join(folder, String((files += 1)))
  writeFileSync(path, text)
  return path
}

describe('the configuration', () => {
  it('uses defaults for missing variables', () => {
    expect(parseConfig(complete)).toMatchObject({
      NODE_ENV: 'production',
      PORT: 3000,
      ALLOWED_ORIGINS: [],
      TOKEN_KEY: [Buffer.alloc(32, 7)],
    })
  })

  it('lists all problems at once, each with the purpose of the variable', () => {
    const broken = () => parseConfig({ ...complete, DATABASE_URL: undefined, PORT: 'seventy' })
    expect(broken).toThrow(ConfigError)
    expect(broken).toThrow(/DATABASE_URL: is missing \(PostgreSQL 18 database: /)
    expect(broken).toThrow(/PORT: /)
  })

  it('accepts a list of keys, the newest first', () => {
    const older = Buffer.alloc(32, 8).toString('base64')
    const list = `${key}, ${older}`
    const both = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
    for (const name of ['TOKEN_KEY', 'PASSWORD_PEPPER', 'DATA_KEYS'] as const) {
      expect(parseConfig({ ...complete, [name]: list })[name]).toEqual(both)
      expect(() => parseConfig({ ...complete, [name]: `${key},` })).toThrow(name)
    }
  })

  it('never shows the value of a secret', () => {
    const secret = 'c2hvcnQ='
    expect(() => parseConfig({ ...complete, TOKEN_KEY: secret })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(secret) }),
    )
  })

  it.each([
    ['loopback', true],
    ['10.0.0.1', true],
    ['10.0.0.0/8', true],
    ['10.0.0.0/255.0.0.0', true],
    ['fd00::/8', true],
    ['0.0.0.0/0', false],
    ['::/0', false],
    ['10.0.0.0/33', false],
    ['10.0.0.0/255.0.255.0', false],
    ['fd00::/255.0.0.0', false],
    ['10.0.0.0/', false],
    ['balancer', false],
  ])('accepts TRUST_PROXY=%s as Fastify does: %s', (entry, isAccepted) => {
    const accepts = (use: () => unknown) => {
      try {
        return Boolean(use())
      } catch {
        return false
      }
    }
    expect(accepts(() => fastify({ trustProxy: [entry] }))).toBe(isAccepted)
    expect(accepts(() => parseConfig({ ...complete, TRUST_PROXY: entry }))).toBe(isAccepted)
  })

  it('requires https in production, except on localhost', () => {
    const at = (PUBLIC_URL: string) => () => parseConfig({ ...complete, PUBLIC_URL })
    expect(at('http://portal.example.org')).toThrow(/must be https in production/)
    expect(at('http://localhost:3000')).not.toThrow()
    expect(at('https://portal.example.org/path')).toThrow(/must be an origin/)
  })

  it.each([
    ['smtp://user:secret@relay.example.org:587', 'refuse', true],
    ['smtp://relay.example.org', 'refuse', true],
    ['smtp://relay.example.org', 'allow', false],
    ['smtps://user:secret@relay.example.org', 'refuse', false],
    ['smtp://user:secret@localhost:25', 'refuse', false],
    ['smtp://LOCALHOST', 'refuse', false],
    ['smtp://[::1]:25', 'refuse', false],
    ['smtp://127.0.0.1.example.org', 'refuse', true],
  ])(
    'requires STARTTLS for SMTP_URL %s and SMTP_PLAINTEXT %s: %s',
    (SMTP_URL, SMTP_PLAINTEXT, requireTls) => {
      const config = parseConfig({ ...complete, SMTP_URL, SMTP_PLAINTEXT })
      expect(smtpAccess(config)).toEqual({ url: SMTP_URL, requireTls })
    },
  )

  it('requires PASSWORD_PEPPER for the API and admin commands, and not for workers', () => {
    const { PASSWORD_PEPPER: _, ...withoutPepper } = complete
    const config = parseConfig(withoutPepper)
    expect(() => passwordPeppers(config)).toThrow(/The API and admin commands need PASSWORD_PEPPER/)
  })

  it('requires SMTP_URL only for the worker, so that no other process has its password', () => {
    const { SMTP_URL: _, ...withoutRelay } = complete
    const config = parseConfig(withoutRelay)
    expect(() => smtpAccess(config)).toThrow(/The worker needs SMTP_URL/)
  })

  it('never sends user and password to the relay unencrypted', () => {
    const SMTP_URL = 'smtp://user:secret@relay.example.org'
    expect(() => parseConfig({ ...complete, SMTP_URL, SMTP_PLAINTEXT: 'allow' })).toThrow(
      /SMTP_PLAINTEXT: must not be allow/,
    )
  })

  it('never sends the password of the mailbox for bounces unencrypted to another machine', () => {
    const at = (url: string) => () =>
      parseConfig({ ...complete, BOUNCE_ADDRESS: 'b@example.org', BOUNCE_URL: url })
    expect(at('pop3://user:secret@mail.example.org')).toThrow(/BOUNCE_URL: must be pop3s/)
    expect(at('pop3s://user:secret@mail.example.org')).not.toThrow()
    expect(at('pop3://user:secret@LOCALHOST:110')).not.toThrow()
    expect(at('pop3://user:secret@127.0.0.1')).not.toThrow()
  })

  it('takes an empty mailbox for bounces as none, and refuses a long name in its address', () => {
    const empty = { BOUNCE_ADDRESS: '', BOUNCE_URL_FILE: fileWith('') }
    expect(parseConfig({ ...complete, ...empty })).toEqual(parseConfig(complete))
    const tooLong = { BOUNCE_ADDRESS: 'bounces-of-emails@example.org' }
    expect(() => parseConfig({ ...complete, ...tooLong })).toThrow(/at most 10 characters/)
  })

  it('requires both variables of the mailbox for bounces, or neither, for a worker', () => {
    const address = parseConfig({ ...complete, BOUNCE_ADDRESS: 'b@example.org' })
    expect(() => bounceAccess(address)).toThrow(/both BOUNCE_ADDRESS and BOUNCE_URL/)
    const url = 'pop3s://user:secret@mail.example.org'
    expect(() => bounceAccess(parseConfig({ ...complete, BOUNCE_URL: url }))).toThrow(/both/)
    expect(bounceAccess({ ...address, BOUNCE_URL: url })).toEqual({ address: 'b@example.org', url })
    expect(bounceAccess(parseConfig(complete))).toBeUndefined()
  })

  it('reads any variable from a file, without the line break at its end', () => {
    const { TOKEN_KEY, SMTP_URL, ...rest } = complete
    const config = parseConfig({
      ...rest,
      TOKEN_KEY_FILE: fileWith(`${TOKEN_KEY}\n`),
      SMTP_URL_FILE: fileWith(SMTP_URL),
      PORT_FILE: fileWith('4000\r\n'),
    })
    expect(config).toEqual({ ...parseConfig(complete), PORT: 4000 })
  })

  it('refuses a variable that is set as value and as file', () => {
    const twice = { ...complete, TOKEN_KEY_FILE: fileWith(key) }
    expect(() => parseConfig(twice)).toThrow(
      /TOKEN_KEY: is set twice, as TOKEN_KEY and as TOKEN_KEY_FILE/,
    )
  })

  it('lists unreadable files with the other problems, without any value', () => {
    const { TOKEN_KEY: _, ...rest } = complete
    const broken = () =>
      parseConfig({
        ...rest,
        TOKEN_KEY_FILE: '/no/such/file',
        PASSWORD_PEPPER: undefined,
        PASSWORD_PEPPER_FILE: fileWith('c2hvcnQ='),
      })
    expect(broken).toThrow(/TOKEN_KEY: cannot be read from the file .* \(ENOENT\)/)
    expect(broken).toThrow(/PASSWORD_PEPPER: must be 32 bytes/)
    expect(broken).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('c2hvcnQ=') }),
    )
  })

  it('is documented, variable by variable', () => {
    const page = resolve(import.meta.dirname, '../../../../docs/configuration.md')
    expect(readFileSync(page, 'utf8')).toBe(configurationPage())
  })
})
