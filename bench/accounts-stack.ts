import { Client } from 'pg'
import { startApiStack, vacuumAndCheckpoint } from './api-stack.ts'
import { processMegabytes } from './process-memory.ts'
import { accessHasher, cookieOf } from './veterans.ts'

/** Starts an API with one staff account, which is signed in. */
export async function startAccountsStack() {
  const apiStack = await startApiStack({ env: { LOG_LEVEL: 'warn' } })
  const { stack } = apiStack
  const sql = new Client({ connectionString: stack.urls.database })
  await sql.connect()
  await sql.query(
    `with staff as (
       insert into users (email, password_hash, first_name, last_name, phone, state, role)
       values ('staff@guidon.example', 'none', 'Casey', 'Staff', '8005550142', 'Texas', 'STAFF')
       returning id),
     opened as (
       insert into sessions (user_id, idle_limit, last_seen_at, expires_at)
       select id, '1 hour', now() + interval '1 day', now() + interval '1 day' from staff
       returning id)
     insert into session_tokens (session_id, access_hash, access_expires_at, refresh_hash)
     select id, $1, now() + interval '1 day', $1 from opened`,
    [accessHasher(stack.environment['TOKEN_KEY']!)(0)],
  )
  return {
    base: stack.urls.api[0]!,
    origin: stack.urls.portal,
    cookie: cookieOf(0),
    sql,
    apiMegabytes: () => processMegabytes(stack.api[0]!.pid!),
    close: async () => {
      await sql.end()
      await apiStack.close()
    },
  }
}

const FIRST_NAMES = `{James,Maria,Robert,Linda,Michael,Ana,David,Susan,Luis,Karen,Thomas,Denise,Kevin,Rosa}`
const LAST_NAME_STARTS = `{Whit,Alva,Oka,Bren,Hart,Mont,Sal,Tor,Wes,Dun,Kell,Ray,Stan,Lang,Fitz,Cald,Gar,Pres}`
const LAST_NAME_ENDINGS = `{field,rez,for,nan,well,gomery,azar,res,ton,can,ogg,burn,ley,ford,gerald,derwood,cia,cott}`

/** Adds the rows without indexes and builds the indexes afterwards, which is several times faster. */
export async function addAccounts(sql: Client, count: number): Promise<void> {
  const { rows: indexes } = await sql.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'users' and (indexname like 'users\\_by\\_%' or indexname = 'users_search')`,
  )
  for (const { name } of indexes) await sql.query(`drop index ${name}`)
  await sql.query(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role,
       email_verified_at, salesforce_id, box_folder_id, created_at)
     select lower(first || '.' || last) || n || '@example.com', repeat('x', 97), first, last,
       lpad((n % 10000000000)::text, 10, '0'), 'California',
       case when n % 20000 = 0 then 'STAFF' else 'USER' end, now(),
       '0035g' || lpad(n::text, 13, '0'), (1200000000 + n)::text,
       now() - n * interval '20 seconds'
     from (select n, ($2::text[])[1 + n % 14] as first,
         ($3::text[])[1 + n / 14 % 18] || ($4::text[])[1 + n / 252 % 18] as last
       from generate_series(1, $1::int) as n) as names`,
    [count, FIRST_NAMES, LAST_NAME_STARTS, LAST_NAME_ENDINGS],
  )
  for (const { definition } of indexes) await sql.query(definition)
  await vacuumAndCheckpoint(sql)
}
