import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'guidon-release-'))
const clone = join(folder, 'clone')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const programs = join(folder, 'programs')

function run(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: clone,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${programs}:${process.env['PATH']}` },
  })
  return { status, stdout: stdout.trim(), stderr: stderr.trim() }
}
const release = (...args: string[]) =>
  run(process.execPath, join(root, 'scripts/release.ts'), ...args)
const read = (name: string) => readFileSync(join(clone, name), 'utf8')
const versionIn = (name: string) => (JSON.parse(read(name)) as { version: string }).version
const packageFile = (name: string) => join(name, 'package.json')
const commit = () => run('git', 'commit', '--quiet', '--all', '--message', 'a change')

beforeAll(() => {
  const packages = ['.', 'api', 'contract', 'sandbox', 'tests', 'web']
  for (const name of ['CHANGELOG.md', 'package-lock.json', ...packages.map(packageFile)]) {
    mkdirSync(dirname(join(clone, name)), { recursive: true })
    copyFileSync(join(root, name), join(clone, name))
  }
  writeFileSync(join(clone, '.gitignore'), 'release/\n')
  run('git', 'init', '--quiet')
  run('git', 'add', '--all')
  run('git', 'config', 'user.name', 'A developer')
  run('git', 'config', 'user.email', 'developer@example.org')
  const changelog = read('CHANGELOG.md').replace(/^(## \[Unreleased\]\n)[^]*?(?=^## \[)/m, '$1\n')
  writeFileSync(join(clone, 'CHANGELOG.md'), changelog)
  commit()
})

it('refuses a version that is wrong or not later', () => {
  expect(release().stderr).toContain('Usage: npm run release')
  expect(release('next').stderr).toContain('Usage: npm run release')
  const current = versionIn('package.json')
  expect(release(current)).toMatchObject({
    status: 1,
    stderr: `${current} is not later than ${current}.`,
  })
})

it('refuses a tree with changes, and an empty section', () => {
  writeFileSync(join(clone, 'new-file'), '')
  expect(release('9.0.0')).toMatchObject({ status: 1 })
  expect(release('9.0.0').stderr).toMatch(/Commit or remove these files first:\n\?\? new-file/)
  rmSync(join(clone, 'new-file'))
  const empty = 'The section Unreleased of CHANGELOG.md is empty.'
  expect(release('9.0.0')).toMatchObject({ status: 1, stderr: empty })
  expect(run('git', 'status', '--porcelain').stdout).toBe('')
  expect(run('git', 'tag').stdout).toBe('')
})

it('makes version, section, commit, tag, notes and SBOM, also after a failure', () => {
  const unreleased = '## [Unreleased]\n'
  const added = '### Added\n\n- Something new.\n'
  const withEntry = read('CHANGELOG.md').replace(unreleased, `${unreleased}\n${added}`)
  writeFileSync(join(clone, 'CHANGELOG.md'), withEntry)
  commit()

  // A Docker whose build fails.
  mkdirSync(programs)
  writeFileSync(join(programs, 'docker'), '#!/bin/sh\n[ "$1" = version ]\n', { mode: 0o755 })
  expect(release('9.0.0').status).not.toBe(0)
  expect(run('git', 'log', '-1', '--format=%s').stdout).toBe('a change')
  expect(run('git', 'status', '--porcelain').stdout).toBe('')

  expect(release('9.0.0', '--no-image')).toMatchObject({ status: 0 })
  for (const name of ['.', 'api', 'contract', 'sandbox', 'tests', 'web']) {
    expect(versionIn(packageFile(name))).toBe('9.0.0')
  }
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, object>
  }
  expect([packages[''], packages['api']]).toMatchObject([
    { version: '9.0.0' },
    { version: '9.0.0' },
  ])
  const today = new Date().toISOString().slice(0, 10)
  expect(read('CHANGELOG.md')).toContain(`${unreleased}\n## [9.0.0] - ${today}\n\n${added}`)
  expect(run('git', 'log', '-1', '--format=%s').stdout).toBe('release: 9.0.0')
  expect(run('git', 'describe').stdout).toBe('v9.0.0')
  expect(run('git', 'status', '--porcelain').stdout).toBe('')
  expect(read('release/guidon-9.0.0.md')).toBe(added)
  const sbom = JSON.parse(read('release/guidon-9.0.0.cdx.json')) as {
    bomFormat: string
    metadata: { component: { name: string; version: string } }
    components: { name: string }[]
  }
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'guidon', version: '9.0.0' } },
  })
  const names = sbom.components.map(({ name }) => name)
  expect(names).toContain('fastify')
  expect(names).not.toContain('vitest')
  expect(release('9.0.0').stderr).toBe('9.0.0 is not later than 9.0.0.')
})
