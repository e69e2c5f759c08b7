import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { brandFile, consentsFile, joinBrandFiles, noticeFile, statesFile } from './brand-folder.ts'
import { telHref, pageBrand } from './brand.ts'
import { requiredConsents } from './legal.ts'

const fileOf = (name: string): unknown => {
  const path = resolve(import.meta.dirname, '../../brand', name)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
const repositoryBrand = brandFile.parse(fileOf('brand.json'))

/** The brand of the repository, with other files in place of some. Undefined: there is no such file. */
const joined = (others: Record<string, unknown> = {}) =>
  joinBrandFiles((name, type) => {
    const content = name in others ? others[name] : fileOf(name)
    return content === undefined ? undefined : type.parse(content)
  })

describe('the brand', () => {
  it('of the repository is complete', () => {
    expect(repositoryBrand).toEqual(fileOf('brand.json'))
    expect(joined().legal.consents.map(({ kind }) => kind)).toEqual([
      'terms',
      'privacy',
      'feedback',
    ])
  })

  it('of the repository has only legal texts that say that they are samples', () => {
    const { notice, states, consents } = joined().legal
    const texts = [notice?.text, ...consents.map(({ text }) => text)]
    for (const rule of Object.values(states)) texts.push(rule?.notice?.text)
    for (const text of texts) expect(text).toMatch(/sample text/i)
  })

  it.each([
    ['termsUrl', 'javascript:alert(1)'],
    ['privacyUrl', 'http://www.guidon.example/privacy'],
    ['crmRecordUrl', 'https://crm.example/record'],
    ['boxUrl', 'javascript:alert(1)'],
    ['informationEmail', 'info'],
  ])('is refused with %s = %s', (field, value) => {
    expect(brandFile.safeParse({ ...repositoryBrand, [field]: value }).success).toBe(false)
  })

  it('does not put the email sender into the pages', () => {
    expect(pageBrand(joined())).not.toHaveProperty('emailSender')
  })

  it('may have no legal texts besides the consents, which it must have', () => {
    const { legal } = joined({ 'legal/notice.json': undefined, 'legal/states.json': undefined })
    expect(legal).toMatchObject({ notice: undefined, states: {} })
    expect(() => joined({ 'legal/consents.json': undefined })).toThrow('is missing')
  })
})

describe('the legal texts are refused', () => {
  const text = { version: '1', title: 'Terms', text: 'I accept the Terms.' }
  const problems = ({ error }: { error?: { issues: { message: string }[] } }) =>
    error?.issues.map(({ message }) => message)

  it.each([
    [{ terms: text }, 'must have terms and privacy'],
    [{ terms: text, privacy: { ...text, optional: true } }, 'terms and privacy cannot be optional'],
    [{ terms: text, privacy: { ...text, color: 'red' } }, 'color: not known'],
    [{ terms: text, privacy: text, 'state-notice': text }, /state-notice/],
  ])('for the consents %j', (content, problem) => {
    expect(problems(consentsFile.safeParse(content))).toEqual([
      expect.stringMatching(new RegExp(problem)),
    ])
  })

  it('for a state that does not exist, and for a notice without a version', () => {
    expect(statesFile.safeParse({ Atlantis: {} }).success).toBe(false)
    expect(noticeFile.safeParse({ text: 'We are not VA.' }).success).toBe(false)
  })
})

it('a veteran must accept the notice of a state only if the rules of that state require it', () => {
  const notice = { version: '3', text: 'Help is free.', mustAccept: true }
  const { legal } = joined({ 'legal/states.json': { Ohio: { notice } } })
  const kinds = (state: string) => requiredConsents(legal, state).map(({ kind }) => kind)
  expect(kinds('Ohio')).toEqual(['terms', 'privacy', 'state-notice'])
  expect(kinds('Utah')).toEqual(['terms', 'privacy'])
})

it.each([
  ['1-800-555-0142', 'tel:+18005550142'],
  ['(619) 555-0134', 'tel:+16195550134'],
])('dials %s as %s', (shown, link) => {
  expect(telHref(shown)).toBe(link)
})
