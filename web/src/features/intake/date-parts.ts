import { dateOfBirth, DATE_OUT_OF_RANGE } from '@guidon/contract/intake'
import { DATE_OF_BIRTH_MIN } from '@guidon/contract/limits'
import { longDate, MONTHS } from '../../ui/dates.ts'

/** The three texts of a typed date, valid or not. */
export interface DateParts {
  month: string
  day: string
  year: string
}
export type PartName = keyof DateParts

export const PART_NAMES = ['month', 'day', 'year'] as const satisfies readonly PartName[]
const NO_DATE: DateParts = { month: '', day: '', year: '' }

/** Separates the parts of an incomplete date, so that no schema accepts it as a date. */
const SEPARATOR = '|'
const PART_MAX = 20

export const today = () => new Date().toISOString().slice(0, 10)

/** The text of one part, without the separator and of limited length. */
export const partText = (text: string) => text.replaceAll(SEPARATOR, '').slice(0, PART_MAX)

/** The parts of a stored answer: a whole date (`1968-03-27`) or an incomplete one. */
export function partsOf(answer: unknown): DateParts {
  if (typeof answer !== 'string') return NO_DATE
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(answer) ?? []
  if (isoYear && isoMonth && isoDay) return { month: isoMonth, day: isoDay, year: isoYear }
  const [month, day, year, ...rest] = answer.split(SEPARATOR)
  if (month === undefined || day === undefined || year === undefined || rest.length > 0) {
    return NO_DATE
  }
  return { month, day, year }
}

/** The parts as typed, which no schema accepts as a date; empty if all are empty. */
export function typedAnswer({ month, day, year }: DateParts): string {
  const texts = [month, day, year]
  return texts.every((text) => text.trim() === '') ? '' : texts.map(partText).join(SEPARATOR)
}

/** `1968-03-27` if the parts are a date, else the parts as typed. */
export function dateAnswer(parts: DateParts): string {
  return isoOf(parts) ?? typedAnswer(parts)
}

/** Completes unambiguous input: the name of a month, and the last two digits of a year. */
export function completeParts(parts: DateParts): DateParts {
  const month = parts.month.trim()
  const monthIndex = /^[a-z]{3,}$/i.test(month)
    ? MONTHS.findIndex((name) => name.toLowerCase().startsWith(month.toLowerCase()))
    : -1
  const trimmed = {
    month: monthIndex === -1 ? month : String(monthIndex + 1),
    day: parts.day.trim(),
    year: parts.year.trim(),
  }
  if (!/^\d\d$/.test(trimmed.year)) return trimmed
  const [only, ...others] = ['19', '20']
    .map((century) => century + trimmed.year)
    .filter((year) => isPossible({ ...trimmed, year }))
  return only !== undefined && others.length === 0 ? { ...trimmed, year: only } : trimmed
}

function isPossible(parts: DateParts): boolean {
  const iso = isoOf(parts)
  if (iso !== undefined) return isInRange(iso)
  return parts.year >= DATE_OF_BIRTH_MIN.slice(0, 4) && parts.year <= today().slice(0, 4)
}

const isInRange = (iso: string) => dateOfBirth.safeParse(iso).success

/** Whether this part cannot have a further digit. */
export function isPartComplete(name: PartName, text: string): boolean {
  if (name === 'year') return /^\d{4}$/.test(text)
  return /^\d\d$/.test(text) || (name === 'month' ? /^[2-9]$/ : /^[4-9]$/).test(text)
}

/** A whole date that was pasted, autofilled or typed into one part. */
export function wholeDateIn(text: string): DateParts | undefined {
  const patterns = [
    /^(?<month>\d{1,2})[/.\s-]{1,3}(?<day>\d{1,2})[/.\s-]{1,3}(?<year>\d{4})$/,
    /^(?<year>\d{4})[/.\s-]{1,3}(?<month>\d{1,2})[/.\s-]{1,3}(?<day>\d{1,2})$/,
    /^(?<month>\d\d)(?<day>\d\d)(?<year>\d{4})$/,
    /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/,
  ]
  const found = patterns.flatMap((pattern) => {
    const groups = pattern.exec(text.trim())?.groups
    return groups ? [{ ...NO_DATE, ...groups }] : []
  })
  return found.find((parts) => isoOf(parts) !== undefined) ?? found[0]
}

/** For the Preview: a long date, or an incomplete one as typed. */
export function dateText(answer: unknown): string {
  const { month, day, year } = partsOf(answer)
  const iso = isoOf({ month, day, year })
  if (iso !== undefined) return longDate(iso)
  return month + day + year === '' ? '' : `${month}/${day}/${year}`
}

export interface DateProblem {
  message: string
  /** The first one gets the focus. */
  parts: readonly [PartName, ...PartName[]]
}

/** Returns what the user must correct. Three empty parts are valid. */
export function problemOf(parts: DateParts): DateProblem | undefined {
  const [missing, ...furtherMissing] = PART_NAMES.filter((name) => parts[name].trim() === '')
  if (missing && furtherMissing.length === 2) return undefined
  const wrong = wrongPart(parts)
  if (wrong) return wrong
  if (missing) {
    const all = [missing, ...furtherMissing] as const
    return { message: `Date of birth must include a ${all.join(' and a ')}`, parts: [...all] }
  }
  const iso = isoOf(parts)
  if (iso === undefined || isInRange(iso)) return undefined
  return { message: DATE_OUT_OF_RANGE, parts: [partOutOfRange(iso)] }
}

function wrongPart(parts: DateParts): DateProblem | undefined {
  const { month, day, year } = parts
  if (month !== '' && !isNumber(month, 12)) {
    return { message: 'Month must be a number from 1 to 12', parts: ['month'] }
  }
  const lastDay = daysIn(month, year)
  if (day !== '' && !isNumber(day, lastDay)) {
    const where = lastDay === 31 ? '' : ` in ${MONTHS[Number(month) - 1]}`
    return { message: `Day must be a number from 1 to ${lastDay}${where}`, parts: ['day'] }
  }
  if (year !== '' && !/^\d{4}$/.test(year)) {
    return { message: 'Year must have four digits, such as 1968', parts: ['year'] }
  }
  return undefined
}

const isNumber = (text: string, max: number) =>
  /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= max

/** Returns the maximum if the month or the year is unknown. */
function daysIn(month: string, year: string): number {
  if (month === '') return 31
  return new Date(
    Date.UTC(/^\d{4}$/.test(year) ? Number(year) : 2000, Number(month), 0),
  ).getUTCDate()
}

function isoOf({ month, day, year }: DateParts): string | undefined {
  const [m, d, y] = [month.trim(), day.trim(), year.trim()]
  if (!/^\d{4}$/.test(y) || !isNumber(m, 12) || !isNumber(d, daysIn(m, y))) return undefined
  return `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
}

/** The year, or the part that makes the date later than today. */
function partOutOfRange(iso: string): PartName {
  const now = today()
  if (iso.slice(0, 4) !== now.slice(0, 4)) return 'year'
  return iso.slice(0, 7) === now.slice(0, 7) ? 'day' : 'month'
}
