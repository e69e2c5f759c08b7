import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasSampleTexts, readBrand } from './brand.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brand-'))
  cpSync(resolve(import.meta.dirname, '../../../brand'), folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (content: unknown) =>
  writeFileSync(join(folder, 'stages.json'), JSON.stringify(content))
const STAGE = { key: 'Intake', label: 'Intake', sentence: 'We talk to you', actor: 'us' }

it('the legal texts of the repository are found to be samples', () => {
  const { brand } = readBrand(folder)
  expect(hasSampleTexts(brand)).toBe(true)
  expect(hasSampleTexts({ ...brand, legal: { states: {}, consents: [] } })).toBe(false)
})

describe('the stages of claims in the brand folder', () => {
  it('keep their order', () => {
    write([
      { ...STAGE, mayRepeat: true },
      { ...STAGE, key: 'Filed' },
    ])
    expect(readBrand(folder).stages.map(({ key }) => key)).toEqual(['Intake', 'Filed'])
  })

  it('are none if there is no file', () => {
    rmSync(join(folder, 'stages.json'))
    expect(readBrand(folder).stages).toEqual([])
  })

  it.each([
    [[{ ...STAGE, actor: 'them' }], '0.actor: must be one of you, us, va'],
    [[{ ...STAGE, sentence: '' }], '0.sentence: must be a text of 1 to 300 characters'],
    [[{ ...STAGE, color: 'red' }], 'color'],
    [[STAGE, STAGE], 'two stages have the same key'],
    [{ Intake: STAGE }, 'must be a list'],
  ])('are refused with the location of the error: %j', (content, location) => {
    write(content)
    expect(() => readBrand(folder)).toThrow(/^stages\.json of .* is invalid:\n/)
    expect(() => readBrand(folder)).toThrow(location)
  })
})
