import { expect, it } from 'vitest'
import { document } from './documents.ts'
import { getProgressOf, getTodo } from './todo.ts'

const intake = { kind: 'intake', id: 'u1', subject: null, due: null, why: null }
const later = { ...intake, kind: 'survey', stars: 5 }

it('leaves out to-do items of a kind that a later release adds', () => {
  const todo = { items: [later, intake], checkedAt: '2026-11-16T09:12:00.000Z' }
  expect(getTodo.response.parse(todo).items).toEqual([intake])
  expect(getProgressOf.response.parse({ todo: [later, intake], claims: [] }).todo).toEqual([intake])
})

it.each([[undefined], ['none'], [[{ ...intake, id: 1 }]]])(
  'refuses a list that is wrong: %j',
  (items) => {
    expect(getTodo.response.safeParse({ items, checkedAt: '' }).success).toBe(false)
  },
)

const file = {
  id: 'd1',
  name: 'a.pdf',
  type: null,
  boxFileId: 'f1',
  lastUploadedDate: null,
  size: null,
  sha256: null,
}

it.each([
  ['reviewed', 'reviewed'],
  [null, null],
  [undefined, undefined],
  ['shredded', undefined],
])('reads the status %s as %s', (status, read) => {
  expect(document.parse({ ...file, status }).status).toBe(read)
})
