import { dateOfBirth, DATE_OUT_OF_RANGE } from '@guidon/contract/intake'
import { describe, expect, it } from 'vitest'
import {
  completeParts,
  isPartComplete,
  partsOf,
  problemOf,
  today,
  typedAnswer,
  dateAnswer,
  wholeDateIn,
} from './date-parts.ts'

const parts = (text: string) => {
  const [month = '', day = '', year = ''] = text.split('/')
  return { month, day, year }
}
const shortYear = today().slice(2, 4)
const thisYear = today().slice(0, 4)

describe('an answer', () => {
  it.each([
    ['03/27/1968', '1968-03-27'],
    ['3/7/1968', '1968-03-07'],
    ['02/29/1968', '1968-02-29'],
    ['03/27/', '03|27|'],
    ['//1968', '||1968'],
    ['02/30/1968', '02|30|1968'],
    ['3/27/68', '3|27|68'],
    ['//', ''],
  ])('of %s is %j', (typed, answer) => {
    expect(dateAnswer(parts(typed))).toBe(answer)
  })

  it.each(['03/27/', '/27/1968', '3/27/68', '13/45/19', 'March//'])(
    'as typed keeps all characters, and is not valid: %s',
    (typed) => {
      const answer = typedAnswer(parts(typed))
      expect(partsOf(answer)).toEqual(parts(typed))
      expect(dateOfBirth.safeParse(answer).success).toBe(false)
    },
  )

  it('in any other format is no date', () => {
    for (const answer of ['incomplete', '', null, undefined, 5, '1|2', '1|2|3|4']) {
      expect(partsOf(answer)).toEqual(parts('//'))
    }
  })
})

describe('a year of two digits', () => {
  it.each([
    ['3/27/68', '1968'],
    ['3/27/99', '1999'],
    ['3/27/05', '2005'],
    // Could be this year or a hundred years ago.
    [`//${shortYear}`, shortYear],
    ['//68', '1968'],
    ['//1968', '1968'],
    ['//196', '196'],
    ['//', ''],
  ])('is completed if only one century is possible: %s → %s', (typed, year) => {
    expect(completeParts(parts(typed)).year).toBe(year)
  })

  it('must be typed in full if two centuries are possible', () => {
    const ambiguous = completeParts(parts('01/01/25'))
    expect(ambiguous.year).toBe('25')
    expect(problemOf(ambiguous)).toEqual({
      message: 'Year must have four digits, such as 1968',
      parts: ['year'],
    })
  })

  it('becomes 19xx if the date in 20xx is in the future', () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    const [year = '', month = '', day = ''] = tomorrow.slice(0, 10).split('-')
    expect(completeParts({ month, day, year: year.slice(2) }).year).toBe(`19${year.slice(2)}`)
  })
})

it('accepts the name of a month', () => {
  for (const [name, month] of [
    ['March', '3'],
    ['sep', '9'],
    ['DEC', '12'],
    ['xyz', 'xyz'],
  ]) {
    expect(completeParts({ month: name!, day: '', year: '' }).month).toBe(month)
  }
})

it.each([
  ['03/27/1968', '03/27/1968'],
  ['3/7/1968', '3/7/1968'],
  [' 3-27-1968 ', '3/27/1968'],
  ['03 / 27 / 1968', '03/27/1968'],
  ['1968-03-27', '03/27/1968'],
  ['03271968', '03/27/1968'],
  ['19680327', '03/27/1968'],
  ['27/03/1968', '27/03/1968'],
])('splits %j into its parts', (text, expected) => {
  expect(wholeDateIn(text)).toEqual(parts(expected))
})

it.each([
  '',
  '3',
  '03',
  '0327',
  '03/27',
  '03/27/68',
  'March 27, 1968',
  '0327196',
  '9'.repeat(64_000),
])('finds no whole date in %.20j', (text) => {
  expect(wholeDateIn(text)).toBeUndefined()
})

describe('the problem', () => {
  it.each([
    ['03/27/', 'Date of birth must include a year', ['year']],
    ['03//1968', 'Date of birth must include a day', ['day']],
    ['//1968', 'Date of birth must include a month and a day', ['month', 'day']],
    ['13/27/1968', 'Month must be a number from 1 to 12', ['month']],
    ['00/27/1968', 'Month must be a number from 1 to 12', ['month']],
    ['Mrz/27/1968', 'Month must be a number from 1 to 12', ['month']],
    ['03/32/', 'Day must be a number from 1 to 31', ['day']],
    ['02/30/', 'Day must be a number from 1 to 29 in February', ['day']],
    ['02/29/1969', 'Day must be a number from 1 to 28 in February', ['day']],
    ['03/27/196', 'Year must have four digits, such as 1968', ['year']],
    ['12/31/1924', DATE_OUT_OF_RANGE, ['year']],
    ['03/27/2999', DATE_OUT_OF_RANGE, ['year']],
    ['03/27/0068', DATE_OUT_OF_RANGE, ['year']],
  ])('with %s: %s', (typed, message, wrong) => {
    expect(problemOf(parts(typed))).toEqual({ message, parts: wrong })
  })

  it('is undefined for a date in range, and without a date', () => {
    for (const typed of ['//', '1/1/1925', '03/27/1968', `01/01/${thisYear}`]) {
      expect(problemOf(parts(typed))).toBeUndefined()
    }
  })
})

it('knows when a part is complete', () => {
  expect(['1', '0', '3', '12'].map((text) => isPartComplete('month', text))).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect(['3', '4', '27'].map((text) => isPartComplete('day', text))).toEqual([false, true, true])
  expect(['68', '196', '1968'].map((text) => isPartComplete('year', text))).toEqual([
    false,
    false,
    true,
  ])
})
