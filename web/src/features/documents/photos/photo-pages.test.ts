import { expect, it, vi } from 'vitest'
import { movePage, pdfName, turnPage } from './photo-pages.ts'
import type { Turn } from './photos-pdf.ts'

const pages = ['a', 'b', 'c'].map((key) => ({ key, turn: 0 as Turn }))
const order = (list: { key: string }[]) => list.map(({ key }) => key).join('')

it('moves a page up and down, and stops at the ends', () => {
  expect(order(movePage(pages, 'b', -1))).toBe('bac')
  expect(order(movePage(pages, 'b', 1))).toBe('acb')
  expect(order(movePage(pages, 'a', -1))).toBe('abc')
  expect(order(movePage(pages, 'c', 1))).toBe('abc')
  expect(order(movePage(pages, 'gone', 1))).toBe('abc')
})

it('turns a page by quarters, and is upright again after four', () => {
  let list = pages
  const seen = [1, 2, 3, 4].map(() => {
    list = turnPage(list, 'b')
    return list[1]!.turn
  })
  expect(seen).toEqual([90, 180, 270, 0])
  expect(list[0]!.turn).toBe(0)
})

it.each([
  ['Service records', 'Service records.pdf'],
  [' records.PDF ', 'records.pdf'],
  ['  ', 'Photos.pdf'],
])('names the PDF after %o', (typed, name) => {
  expect(pdfName(typed)).toBe(name)
})

it('names joined photos after the day in the reader’s own time zone', async () => {
  vi.stubEnv('TZ', 'America/Los_Angeles')
  // Dates are formatted in the time zone in which the module was loaded.
  vi.resetModules()
  const { photosName } = await import('./photo-pages.ts')
  // Otherwise later test files would get the module with the formats of this zone.
  vi.resetModules()
  const evening = new Date('2026-11-16T04:30:00Z')
  expect(photosName(evening, [])).toBe('Photos November 15, 2026')
  expect(photosName(evening, ['Photos November 15, 2026.pdf'])).toBe('Photos November 15, 2026 (2)')
})
