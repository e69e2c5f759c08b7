import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

it.each(['entrypoint', 'make-secrets', 'postgres/roles.sh'])(
  '%s has no syntax error in sh',
  (name) => {
    const { status, stderr } = spawnSync('sh', ['-n', join(deploy, name)], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  },
)
