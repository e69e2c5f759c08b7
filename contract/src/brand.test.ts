import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { brand, pageBrand } from './brand-folder.ts'
import { telHref } from './brand.ts'

const repositoryBrand = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../brand/brand.json'), 'utf8'),
)

describe('the brand', () => {
  it('of the repository is complete', () => {
    expect(brand.parse(repositoryBrand)).toEqual(repositoryBrand)
  })

  it.each([
    ['termsUrl', 'javascript:alert(1)'],
    ['privacyUrl', 'http://www.guidon.example/privacy'],
    ['crmRecordUrl', 'https://crm.example/record'],
    ['boxUrl', 'javascript:alert(1)'],
    ['informationEmail', 'info'],
  ])('is refused with %s = %s', (field, value) => {
    expect(brand.safeParse({ ...repositoryBrand, [field]: value }).success).toBe(false)
  })

  it('does not put the email sender into the pages', () => {
    expect(pageBrand.parse(repositoryBrand)).not.toHaveProperty('emailSender')
  })
})

it.each([
  ['1-800-555-0142', 'tel:+18005550142'],
  ['(619) 555-0134', 'tel:+16195550134'],
])('dials %s as %s', (shown, link) => {
  expect(telHref(shown)).toBe(link)
})
