import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const script = resolve(import.meta.dirname, '../../deploy/change-key')
const folder = mkdtempSync(join(tmpdir(), 'guidon-change-key-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = join(folder, 'token-key')
const OLD = Buffer.alloc(32, 1).toString('base64')
const change = (step: string, name = 'token-key') =>
  execFileSync(script, [step, name], {
    env: { ...process.env, SECRETS_DIR: folder },
    encoding: 'utf8',
    stdio: 'pipe',
  })
const keys = () => readFileSync(file, 'utf8').trim().split(',')

it('adds a key at the end, moves it to the front, and removes the old one', () => {
  writeFileSync(file, `${OLD}\n`, { mode: 0o600 })
  change('add')
  const [first, added] = keys()
  expect(first).toBe(OLD)
  expect(Buffer.from(added!, 'base64')).toHaveLength(32)
  change('swap')
  expect(keys()).toEqual([added, OLD])
  change('drop')
  expect(keys()).toEqual([added])
  expect(readFileSync(`${file}.before`, 'utf8').trim()).toBe(`${added},${OLD}`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it('never removes the only key, and refuses a step out of order', () => {
  writeFileSync(file, `${OLD}\n`)
  for (const step of ['swap', 'drop']) expect(() => change(step)).toThrow('holds one key')
  change('add')
  expect(() => change('add')).toThrow('two keys already')
  expect(() => change('add', 'tls.pem')).toThrow('Usage')
  expect(() => change('throw')).toThrow('Usage')
  expect(keys()[0]).toBe(OLD)
})

it.runIf(userInfo().uid === 0)('asks for root if it cannot read the file', () => {
  writeFileSync(file, `${OLD}\n`, { mode: 0o600 })
  chmodSync(folder, 0o711)
  const asNobody = () =>
    execFileSync(script, ['add', 'token-key'], {
      env: { ...process.env, SECRETS_DIR: folder },
      stdio: 'pipe',
      uid: 65534,
      gid: 65534,
    })
  expect(asNobody).toThrow('Run this as root')
})

it('never prints a key', () => {
  writeFileSync(file, `${OLD}\n`)
  expect(change('add')).not.toContain(OLD.slice(0, 10))
})
