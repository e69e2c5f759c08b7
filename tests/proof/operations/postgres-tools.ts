import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import type { Sql } from '../../support/databases.ts'

const FIND_TOOLS = resolve(import.meta.dirname, '../../../.ci/postgres-tools')

/** The folder of the tools of PostgreSQL 18 and of pgBackRest; downloads them if the machine has none. */
export const postgresToolsFolder = (): string =>
  execFileSync(FIND_TOOLS, { encoding: 'utf8' }).trim()

export type TableHashes = Record<string, { rows: number; hash: string }>

/** Hashes all rows of each table, sorted by their hash so that their order on disk does not matter. */
export async function tableHashes(sql: Sql): Promise<TableHashes> {
  const { rows: tables } = await sql.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'partitions', 'pgboss')
     order by 1`,
  )
  const hashes: TableHashes = {}
  for (const { name } of tables) {
    const { rows } = await sql.query<{ rows: number; hash: string }>(
      `select count(*)::int as rows,
         encode(sha256(convert_to(coalesce(string_agg(row, '' order by row), ''), 'UTF8')), 'hex') as hash
       from (select encode(sha256(convert_to(each::text, 'UTF8')), 'hex') as row from ${name} each)`,
    )
    hashes[name] = rows[0]!
  }
  return hashes
}

/** Null, the default of the owner, is written out: a dump leaves it null also if it was granted explicitly. */
export async function grants(sql: Sql): Promise<unknown[]> {
  const { rows } = await sql.query(
    `select oid::regclass::text as name,
         coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner))::text as acl
       from pg_class
       where relnamespace::regnamespace::text in ('public', 'partitions', 'pgboss')
         and relkind in ('r', 'p', 'S')
     union all select nspname, coalesce(nspacl, acldefault('n', nspowner))::text from pg_namespace
       where nspname in ('public', 'partitions', 'pgboss')
     union all select attrelid::regclass || '.' || attname, attacl::text from pg_attribute
       where attacl is not null and attrelid >= 16384
     union all select 'default', defaclacl::text from pg_default_acl
     order by 1, 2`,
  )
  return rows
}
