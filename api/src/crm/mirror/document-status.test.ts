import { boot } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { expect, it } from 'vitest'
import type { DocumentRow } from '../port.ts'
import { upsertRows } from './rows.sql.ts'

const testApp = await boot({ worker: false })
const db = databaseAt(testApp.config.DATABASE_URL, 1)

const at = (date: number) => `2026-11-${String(date).padStart(2, '0')}T09:00:00.000Z`
const read = async (date: number, status: DocumentRow['status'], deleted = false) => {
  const empty = { portalDocumentId: null, type: null, boxFileId: null, lastUploadedAt: null }
  const row = { id: 'a03000000000001AAA', modifiedAt: at(date), deleted, status, ...empty }
  const texts = { name: 'Letter', dueDate: null, reason: null, statusReason: null }
  await upsertRows(db, 'document', [{ ...row, ...texts, contactId: '003000000000001AAA' }])
  const { rows } = await testApp.sql.query<{ since: Date | null }>(
    'select status_since as since from crm_document',
  )
  return rows[0]!.since?.toISOString() ?? null
}

it('the time of a status is that of the first version of the document that has it', async () => {
  expect(await read(1, null)).toBeNull()
  expect(await read(2, 'requested')).toBe(at(2))
  expect(await read(3, 'requested')).toBe(at(2))
  expect(await read(4, 'notUsable')).toBe(at(4))
  expect(await read(2, 'requested')).toBe(at(4))
  expect(await read(5, 'received')).toBe(at(5))
  expect(await read(6, 'received', true)).toBeNull()
})
