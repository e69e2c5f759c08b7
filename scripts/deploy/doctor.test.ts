import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const read = (name: string): unknown =>
  parse(readFileSync(resolve(import.meta.dirname, '../../deploy', name), 'utf8'), { merge: true })

interface Service {
  extends?: { file: string; service: string }
  networks?: string[]
  entrypoint?: string[]
}
type Services = { services: Record<string, Service> }

it('the doctor of compose reaches the database, the internet and the scanner', () => {
  const { doctor } = (read('doctor.yaml') as Services).services
  const { services } = read('compose.yaml') as Services
  expect(doctor?.extends).toEqual({ file: 'compose.yaml', service: 'worker-1' })
  expect(doctor?.entrypoint).toEqual(['/guidon/deploy/entrypoint', 'admin', 'doctor'])
  const reached = [...services['worker-1']!.networks!, ...doctor!.networks!]
  expect(reached).toEqual(expect.arrayContaining(['data', 'out', 'scan']))
  expect(services['clamd']!.networks).toContain('scan')
})
