import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { version } from '../platform/version.ts'

it('prints the version without configuration or database', () => {
  const program = join(import.meta.dirname, 'admin-cli.ts')
  const printed = execFileSync(process.execPath, [program, 'version'], { env: {} })
  expect(printed.toString()).toBe(`${version}\n`)
}, 60_000)
