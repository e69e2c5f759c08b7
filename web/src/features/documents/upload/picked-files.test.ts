import { expect, it } from 'vitest'
import { requestedOne } from '../sample-documents.ts'
import {
  updateFile,
  canSend,
  categoriesFor,
  failureLines,
  withOtherLast,
  addFiles,
  type PickedFile,
} from './picked-files.ts'

const file = (name: string) => new File(['x'], name)
const keys = () => {
  let last = 0
  return () => `k${(last += 1)}`
}
const names = (picked: PickedFile[]) => picked.map((pickedFile) => pickedFile.file.name).join(' ')
const three = () => addFiles([], [file('a'), file('b'), file('c')], keys()).picked

it('accepts files over several picks, up to 3', () => {
  const newKey = keys()
  const first = addFiles([], [file('a'), file('b')], newKey)
  expect(first.tooMany).toBe(false)
  const second = addFiles(first.picked, [file('c')], newKey)
  expect(names(second.picked)).toBe('a b c')
  expect(second.tooMany).toBe(false)
})

it('reports too many files, and keeps the first 3', () => {
  const { picked, tooMany } = addFiles(three().slice(1), [file('d'), file('e')], () => 'k9')
  expect(names(picked)).toBe('b c d')
  expect(tooMany).toBe(true)
  expect(addFiles(three(), [file('d')], () => 'k9').tooMany).toBe(true)
})

it('ends the categories with Other, always and once', () => {
  expect(
    withOtherLast(['Other', 'Medical records', 'Discharge papers', 'Medical records']),
  ).toEqual(['Medical records', 'Discharge papers', 'Other'])
  expect(withOtherLast()).toEqual(['Other'])
})

it('hides a category that is chosen for another file, except Other', () => {
  let picked = updateFile(three(), 'k1', { category: 'Medical records' })
  picked = updateFile(picked, 'k2', { category: 'Other' })
  const all = ['Discharge papers', 'Medical records', 'Other']
  expect(categoriesFor('k1', picked, all)).toEqual(all)
  expect(categoriesFor('k3', picked, all)).toEqual(['Discharge papers', 'Other'])
})

it('has a line for each failed file', () => {
  const failed = {
    kind: 'failed',
    message: 'It is locked.',
    remedy: 'other-file',
    noResponse: false,
  } as const
  const picked = updateFile(three(), 'k2', { progress: failed })
  expect(failureLines(picked)).toEqual(['b: It is locked.'])
})

it('takes one file for a request, with its category', () => {
  const first = addFiles([], [file('a'), file('b')], keys(), requestedOne)
  expect(names(first.picked)).toBe('a')
  expect(first.tooMany).toBe(true)
  expect(first.picked[0]).toMatchObject({ category: 'Discharge papers', request: { id: 'r1' } })
  expect(addFiles(first.picked, [file('c')], () => 'k9', requestedOne).tooMany).toBe(true)
  const untyped = addFiles([], [file('a')], keys(), { ...requestedOne, type: ' ' })
  expect(untyped.picked[0]).toMatchObject({ category: 'Other' })
})

it.each([
  ['again', true],
  ['rename', true],
  ['other-file', false],
] as const)('whether a failed file with the remedy "%s" can be sent: %s', (remedy, sendable) => {
  const failed = { kind: 'failed', message: 'x', remedy, noResponse: false } as const
  expect(canSend(updateFile(three(), 'k1', { progress: failed })[0]!)).toBe(sendable)
})
