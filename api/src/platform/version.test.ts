import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { version } from './version.ts'

it('is the version of the product', () => {
  const manifest = resolve(import.meta.dirname, '../../../package.json')
  expect(version).toMatch(/^\d+\.\d+\.\d+/)
  expect(version).toBe(JSON.parse(readFileSync(manifest, 'utf8')).version)
})
