import { expect, it } from 'vitest'
import { mailHref } from './mail-href.ts'

it('links to the address, and to no other recipient', () => {
  expect(mailHref('dana.okafor@guidon.example')).toBe('mailto:dana.okafor@guidon.example')
  expect(mailHref('x@y.example?cc=z@y.example')).toBe('mailto:x@y.example%3Fcc%3Dz@y.example')
})
