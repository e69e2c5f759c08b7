import { readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { planCluster } from './plan.ts'
import { etcdVariables, patroniVariables } from './settings.ts'

const example = readFileSync(
  resolve(import.meta.dirname, '../../../deploy/ha/machine.example.env'),
  'utf8',
)

it('the sandbox sets the variables that differ between the deployed machines, and no others', async () => {
  const plan = await planCluster({ nodes: 3, etcds: 3 })
  rmSync(plan.folder, { recursive: true })
  const set = { ...etcdVariables(plan, plan.etcds[0]!), ...patroniVariables(plan, plan.nodes[0]!) }
  const deployed = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  expect(Object.keys(set)).toEqual(deployed)
})
