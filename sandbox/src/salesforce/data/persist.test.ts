import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { salesforceControl } from '../client.ts'
import { startSalesforce } from '../salesforce.ts'

const folder = mkdtempSync(join(tmpdir(), 'guidon-org-'))
const file = join(folder, 'org.json')
afterAll(() => rmSync(folder, { recursive: true }))

it('a persisted org starts with its rows and does not reuse their ids', async () => {
  const first = await startSalesforce({ file })
  expect(first.resumed).toBe(false)
  const kept = await salesforceControl(first.url).staff('add-contact', { LastName: 'Kept' })
  await first.close()

  const second = await startSalesforce({ file })
  expect(second.resumed).toBe(true)
  const { rows, staff } = salesforceControl(second.url)
  expect(await rows('Contact', { LastName: 'Kept' })).toMatchObject([{ Id: kept }])
  expect(await rows('User')).toHaveLength(2)
  expect(await staff('add-contact', { LastName: 'New' })).not.toBe(kept)
  await second.close()
})
