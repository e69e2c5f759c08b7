import { expect, it } from 'vitest'
import { namedAs } from './named-as.ts'

it.each([
  ['pdf', 'Orders.PDF', 'Orders.PDF'],
  ['jpeg', 'photo.jpeg', 'photo.jpeg'],
  ['jpeg', 'photo.JPG', 'photo.JPG'],
  ['pdf', 'page.html', 'page.html.pdf'],
  ['pdf', 'photo.jpg', 'photo.jpg.pdf'],
  ['jpeg', 'scan', 'scan.jpg'],
] as const)('a %s called %s is called %s', (kind, name, called) => {
  expect(namedAs(kind, name)).toBe(called)
})
