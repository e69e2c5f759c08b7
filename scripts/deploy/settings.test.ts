import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const deploy = resolve(import.meta.dirname, '../../deploy')
const folder = mkdtempSync(join(tmpdir(), 'guidon-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const isInstalled = (program: string) =>
  spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

it.runIf(isInstalled('docker-compose')).each(['example.env', 'trial.env'])(
  'docker-compose accepts the compose file with %s',
  (settings) => {
    const file = join(folder, settings)
    // A provider fills in the empty values.
    const text = readFileSync(join(deploy, settings), 'utf8').replaceAll(/=$/gm, '=filled-in')
    writeFileSync(file, text)
    const compose = ['--file', join(deploy, 'compose.yaml'), '--env-file', file]
    const { status, stderr } = spawnSync(
      'docker-compose',
      [...compose, '--profile', 'trial', 'config', '--quiet'],
      { encoding: 'utf8' },
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  },
)

it.each([
  'entrypoint',
  'make-secrets',
  'monitoring/start',
  ...globSync('postgres/{*.sh,backup*,pgbackrest,restore*}', { cwd: deploy }).toSorted(),
])('%s has no syntax error in sh', (name) => {
  const { status, stderr } = spawnSync('sh', ['-n', join(deploy, name)], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

it('monitoring/start replaces the variables of a file, and names one that is missing', () => {
  const start = (env: Record<string, string>) =>
    spawnSync(join(deploy, 'monitoring/start'), ['cat', 'prometheus.yml', '--', 'prometheus.yml'], {
      env: { PATH: process.env['PATH'], CONFIG_DIR: folder, ...env },
      cwd: folder,
      encoding: 'utf8',
    })
  const { stdout } = start({ PUBLIC_URL: 'https://portal.example.org/a&b|c' })
  expect(stdout).toContain("targets: ['https://portal.example.org/a&b|c/']")
  expect(start({})).toMatchObject({ status: 1, stderr: 'The variable PUBLIC_URL is not set.\n' })
})

it('the systemd unit starts a process again, however often it failed', () => {
  const page = readFileSync(resolve(deploy, '../docs/operate/deploy.md'), 'utf8')
  const [, unit = ''] = /```ini\n(\s+\[Unit\][^]+?)```/.exec(page) ?? []
  expect(unit).toMatch(
    /\[Unit\][^[]+StartLimitIntervalSec=0\n[^[]+\[Service\][^[]+Restart=always\n/,
  )
})
