import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, configurationPage, parseConfig } from './config.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const complete = {
  DATABASE_URL: 'postgres://guidon@localhost/guidon',
  PUBLIC_URL: 'https://portal.example.org',
  TOKEN_KEY: key,
  PASSWORD_PEPPER: key,
  DATA_KEYS: key,
  SMTP_URL: 'smtp://relay.example.org',
}

describe('the configuration', () => {
  it('takes the defaults for what is not said', () => {
    expect(parseConfig(complete)).toMatchObject({
      NODE_ENV: 'production',
      PORT: 3000,
      ALLOWED_ORIGINS: [],
      TOKEN_KEY: [Buffer.alloc(32, 7)],
    })
  })

  it('lists everything that is wrong at once, each with its purpose', () => {
    const broken = () => parseConfig({ ...complete, DATABASE_URL: undefined, PORT: 'seventy' })
    expect(broken).toThrow(ConfigError)
    expect(broken).toThrow(/DATABASE_URL: is missing \(PostgreSQL 18 database\)/)
    expect(broken).toThrow(/PORT: /)
  })

  it('takes a list of keys where it takes one, the newest first', () => {
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

  it('demands https in production, but for a trial on one machine', () => {
    const at = (PUBLIC_URL: string) => () => parseConfig({ ...complete, PUBLIC_URL })
    expect(at('http://portal.example.org')).toThrow(/must be https in production/)
    expect(at('http://localhost:3000')).not.toThrow()
    expect(at('https://portal.example.org/path')).toThrow(/must be an origin/)
  })

  it('is documented, variable by variable', () => {
    const page = resolve(import.meta.dirname, '../../docs/configuration.md')
    expect(readFileSync(page, 'utf8')).toBe(configurationPage())
  })
})
