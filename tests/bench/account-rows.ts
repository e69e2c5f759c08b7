import type { Client } from 'pg'
import {
  EMAIL_DOMAINS,
  FIRST_NAMES,
  LAST_NAMES,
  NAME_ENDINGS,
  NAME_MIDDLES,
  NAME_STARTS,
} from './account-names.ts'
import { vacuumAndCheckpoint } from './api-stack.ts'

/** Random, with many of the first words and few of the last ones. */
const oftenFirst = (list: string) =>
  `(${list})[1 + floor(cardinality(${list}) * random() ^ 2.5)::int]`

const LIST_NAMES = ['first_names', 'last_names', 'starts', 'middles', 'endings', 'domains'] as const
const LISTS = [FIRST_NAMES, LAST_NAMES, NAME_STARTS, NAME_MIDDLES, NAME_ENDINGS, EMAIL_DOMAINS]
const wordOf = (name: (typeof LIST_NAMES)[number]) =>
  oftenFirst(`$${LIST_NAMES.indexOf(name) + 2}::text[]`)

/**
 * Half of the last names are common ones, the others are composed: 39,000, most of them rare. The numbers
 * in the emails are unique and as long as the number of accounts requires. Accounts were created over eight years.
 */
const INSERT = `
  insert into users (id, email, password_hash, first_name, last_name, phone, state, role, is_active,
    email_verified_at, salesforce_id, linked_at, box_folder_id, created_at)
  select uuidv7(-age),
    case when kind < 0.45 then name || '.' || surname
      when kind < 0.7 then left(name, 1) || surname
      when kind < 0.85 then name || surname
      else surname || '.' || name end || n * 7919 % ($1::bigint + 1) || '@' || domain,
    '$argon2id$' || repeat('x', 87), first, last, phone,
    (array['California', 'Texas', 'Florida', 'Ohio', 'Virginia'])[1 + n % 5],
    case when kind_of_role < 0.00002 then 'ADMIN' when kind_of_role < 0.00025 then 'STAFF' else 'USER' end,
    random() > 0.01, now() - age,
    case when is_linked then '0035g' || lpad(n::text, 13, '0') end,
    case when is_linked then now() - age end,
    case when is_linked then (1200000000 + n)::text end, now() - age
  from (
    select *, lower(first) as name, lower(replace(last, '''', '')) as surname
    from (
      select n, ($1::bigint - n) * interval '8 years' / $1::bigint as age,
        ${wordOf('first_names')} as first,
        case when random() < 0.5 then ${wordOf('last_names')}
          else ${wordOf('starts')} || ${wordOf('middles')} || ${wordOf('endings')} end as last,
        ${wordOf('domains')} as domain,
        (2000000000 + floor(random() * 7999999999))::bigint::text as phone,
        random() as kind, random() as kind_of_role, random() > 0.03 as is_linked
      from generate_series($8::bigint, $9::bigint) as n) as drawn) as named`

const BATCH = 250_000

/** Adds the rows without indexes and builds the indexes afterwards, which is several times faster. */
export async function addAccounts(
  sql: Client,
  count: number,
  onProgress?: (text: string) => void,
): Promise<void> {
  const { rows: indexes } = await sql.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'public' and tablename = 'users' and indexname <> 'users_pkey'`,
  )
  const { rows: statistics } = await sql.query<{ name: string; number: number; target: number }>(
    `select attrelid::regclass::text as name, attnum as number, attstattarget as target
     from pg_attribute join pg_index on indexrelid = attrelid
     where indrelid = 'users'::regclass and attstattarget is not null`,
  )
  for (const { name } of indexes) await sql.query(`drop index ${name}`)
  for (let from = 1; from <= count; from += BATCH) {
    const to = Math.min(count, from + BATCH - 1)
    await sql.query(INSERT, [count, ...LISTS, from, to])
    onProgress?.(`${to} of ${count} accounts added`)
  }
  for (const { name, definition } of indexes) {
    await sql.query(definition)
    onProgress?.(`${name} built`)
  }
  for (const { name, number, target } of statistics) {
    await sql.query(`alter index ${name} alter column ${number} set statistics ${target}`)
  }
  await vacuumAndCheckpoint(sql)
}
