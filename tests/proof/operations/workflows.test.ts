import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { figures, headline } from '../figures.ts'

const root = resolve(import.meta.dirname, '../../..')
const workflows = globSync('.github/workflows/*.yml', { cwd: root })

it('actionlint finds no mistake in any workflow', () => {
  const { status, stdout, stderr } = spawnSync(join(root, '.ci/actionlint'), workflows, {
    cwd: root,
    encoding: 'utf8',
  })
  // If actionlint could not be installed, the reason is in the errors.
  const output = status === 0 ? stdout : `${stdout}${stderr}`
  const mistakes = output.split('\n').filter((line) => line !== '')
  figures('workflows', { workflows: workflows.length, mistakes: mistakes.length })
  headline.sum({ workflows: workflows.length, mistakes: mistakes.length })
  expect(workflows).not.toEqual([])
  expect(mistakes).toEqual([])
  expect(status).toBe(0)
})
