import { SORTABLE } from '@guidon/contract/manage-users'
import type { SizedApi } from './account-sizes.ts'

/** Search texts made from accounts of the database, so that they match as often as in real use. */

export interface SampleUser {
  email: string
  first: string
  last: string
  phone: string
}

const SAMPLES = 5_000
const PAGE = '25'

const between = (from: number, to: number) => from + Math.floor(Math.random() * (to - from + 1))
export const randomItem = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)]!

/** A part of the text that starts after its beginning. */
function middle(text: string, length: number): string {
  const from = between(1, Math.max(1, text.length - length))
  return text.slice(from, from + length)
}

/** Beginnings of names and emails, as short and as complete as people type them. */
export const BEGINNINGS = {
  'beginning of a last name': ({ last }: SampleUser) => last.slice(0, between(3, 6)),
  'last name': ({ last }: SampleUser) => last,
  'first name and beginning of the last name': ({ first, last }: SampleUser) =>
    `${first} ${last.slice(0, between(1, 4))}`,
  'full name': ({ first, last }: SampleUser) => `${first} ${last}`,
  'beginning of an email': ({ email }: SampleUser) => email.slice(0, between(4, 16)),
  'email before the @': ({ email }: SampleUser) => email.split('@')[0]!,
  'whole email': ({ email }: SampleUser) => email,
} as const

/** Without a goal. */
export const OTHER_SEARCHES = {
  'one letter': ({ last }: SampleUser) => last.slice(0, 1),
  'two letters': ({ last }: SampleUser) => last.slice(0, 2),
  'middle of a last name': ({ last }: SampleUser) => middle(last, 4),
  'end of an email before the @': ({ email }: SampleUser) => email.split('@')[0]!.slice(-6),
  'email with a wrong beginning': ({ email }: SampleUser) => email.slice(2),
  'domain of an email': ({ email }: SampleUser) => email.slice(email.indexOf('@')),
  'whole phone number': ({ phone }: SampleUser) => phone,
  'beginning of a phone number': ({ phone }: SampleUser) => phone.slice(0, 6),
  'end of a phone number': ({ phone }: SampleUser) => phone.slice(-4),
  'no match': () => `zz${between(1_000, 9_999)}qx`,
} as const

export async function sampleUsers({ sql, accounts }: SizedApi): Promise<SampleUser[]> {
  const { rows } = await sql.query<SampleUser>(
    `select email, first_name as first, last_name as last, phone from users
     where random() < $1 and is_active`,
    [SAMPLES / accounts],
  )
  return rows
}

/** Any order; every third search is limited to a role. */
export function randomView(): Record<string, string> {
  const role = randomItem([undefined, undefined, undefined, undefined, 'USER', 'STAFF'])
  return {
    sortBy: randomItem(SORTABLE),
    order: randomItem(['asc', 'desc']),
    limit: PAGE,
    ...(role && { role }),
  }
}
