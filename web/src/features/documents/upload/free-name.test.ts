import { expect, it } from 'vitest'
import { freeName } from './free-name.ts'

it.each([
  ['rating.pdf', [], 'rating.pdf'],
  ['rating.pdf', ['rating.pdf'], 'rating (2).pdf'],
  ['rating.pdf', ['Rating.PDF', 'rating (2).pdf'], 'rating (3).pdf'],
  ['rating (2).pdf', ['rating (2).pdf'], 'rating (3).pdf'],
  ['rating (2).pdf', ['rating (2).pdf', 'rating (3).pdf'], 'rating (4).pdf'],
  ['rating', ['rating'], 'rating (2)'],
  [
    'Dr. Lee’s letter of Nov. 5.pdf',
    ['dr. lee’s letter of nov. 5.pdf'],
    'Dr. Lee’s letter of Nov. 5 (2).pdf',
  ],
])('%s, where %j are taken, becomes %s', (name, taken, free) => {
  expect(freeName(name, taken)).toBe(free)
})

it('stays within the longest name that the server keeps', () => {
  const long = `${'é'.repeat(125)}x.pdf`
  const free = freeName(long, [long])
  expect(free).toMatch(/é \(2\)\.pdf$/)
  expect(new TextEncoder().encode(free).length).toBeLessThanOrEqual(255)
})

it('finds a free name after a thousand taken ones', () => {
  const taken = Array.from({ length: 1000 }, (_, at) => `a (${at + 2}).pdf`)
  expect(freeName('a.pdf', ['a.pdf', ...taken])).toBe('a (1002).pdf')
})
