import type { Document } from '@guidon/contract/documents'
import { expect, it } from 'vitest'
import {
  addDocument,
  countText,
  groupCategories,
  newUploadsFirst,
  replaceDocument,
  requestedFirst,
  requestedTypes,
  titleOf,
  typeBeside,
  cardIdOf,
} from './document-list.ts'

const document = (id: string, boxFileId: string | null = `file-${id}`): Document => ({
  id,
  boxFileId,
  name: id,
  type: null,
  lastUploadedDate: null,
  size: null,
  sha256: null,
})
const requested = (id: string) => document(id, null)
const ids = (documents: Document[]) => documents.map(({ id }) => id).join(' ')

it('lists requested documents before uploaded ones, and keeps their order', () => {
  expect(ids(requestedFirst([document('a'), requested('b'), document('c'), requested('d')]))).toBe(
    'b d a c',
  )
})

it('treats an empty file id as none', () => {
  expect(ids(requestedFirst([document('a'), document('b', '')]))).toBe('b a')
})

it('places new items at the top', () => {
  const list = addDocument(
    addDocument([requested('a'), document('b')], document('c')),
    document('d'),
  )
  expect(ids(list)).toBe('d c a b')
})

it('does not list a document twice', () => {
  expect(ids(addDocument([requested('a'), document('b')], document('b')))).toBe('b a')
})

it('keeps new items at the top after a refetch', () => {
  expect(ids(newUploadsFirst([requested('a'), document('b'), document('c')], ['c', 'gone']))).toBe(
    'c a b',
  )
})

it('replaces the requested item by the upload', () => {
  const list = replaceDocument([requested('a'), requested('b'), document('c')], 'b', document('b'))
  expect(ids(list)).toBe('a b c')
  expect(list[1]?.boxFileId).toBe('file-b')
})

it('replaces the requested item also when the upload has another id, or is in the list already', () => {
  expect(ids(replaceDocument([requested('a'), requested('b')], 'a', document('n')))).toBe('n b')
  expect(ids(replaceDocument([requested('a'), document('n')], 'a', document('n')))).toBe('n')
})

it('keeps an upload whose requested item is gone', () => {
  expect(ids(replaceDocument([document('a')], 'gone', document('n')))).toBe('n a')
})

it('removes the request that an upload answers', () => {
  const answer = { ...document('n'), request: { id: 'b', name: 'VA Decision Letter' } }
  expect(ids(addDocument([requested('a'), requested('b')], answer))).toBe('n a')
})

it('keeps the name of an answered request as the title', () => {
  const answer = { ...document('rating.pdf'), request: { id: 'b', name: 'VA Decision Letter' } }
  expect(titleOf(answer)).toBe('VA Decision Letter')
  expect(titleOf(document('rating.pdf'))).toBe('rating.pdf')
})

it('shows the type only beside a title that differs', () => {
  expect(typeBeside({ ...requested('DD Form 214'), type: 'dd form 214 ' })).toBeUndefined()
  expect(typeBeside({ ...requested('Discharge papers'), type: 'DD Form 214' })).toBe('DD Form 214')
  expect(typeBeside(requested('DD Form 214'))).toBeUndefined()
})

it('puts the categories of open requests first, each once, and never Other', () => {
  const withType = (id: string, type: string | null) => ({ ...requested(id), type })
  const documents = [
    withType('a', 'Medical records'),
    withType('b', 'Medical records'),
    withType('c', 'Other'),
    withType('d', null),
    { ...document('e'), type: 'Orders' },
  ]
  expect(requestedTypes(documents)).toEqual(['Medical records'])
  const categories = ['Discharge papers', 'Medical records', 'Other']
  expect(groupCategories(categories, requestedTypes(documents))).toEqual([
    { label: 'We asked for', options: ['Medical records'] },
    { label: 'More categories', options: ['Discharge papers', 'Other'] },
  ])
  expect(groupCategories(categories, [])).toEqual(categories)
})

it('counts nothing in an empty list', () => {
  expect(countText([])).toBe('')
})

it('counts requested and uploaded documents', () => {
  expect(countText([requested('a'), requested('b'), document('c')])).toBe('2 requested, 1 uploaded')
})

it('keeps the card of a request for the file that answers it, unless the request is listed, too', () => {
  const request = { id: 'r', name: 'DD Form 214' }
  const answer = { ...document('a'), request }
  expect(cardIdOf(answer, [answer, document('b')])).toBe('r')
  expect(cardIdOf(answer, [answer, requested('r')])).toBe('a')
  expect(cardIdOf(answer, [answer, { ...document('b'), request }])).toBe('a')
  expect(cardIdOf(document('b'), [answer, document('b')])).toBe('b')
})
