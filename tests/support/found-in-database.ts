import type { Sql } from './databases.ts'

/** Without the schema `partitions`, whose rows are read through their parent tables in `public`. */
const IS_SEARCHED = `(c.relkind = 'r' or n.nspname = 'public' and c.relkind = 'p')
  and n.nspname not in ('pg_catalog', 'information_schema', 'partitions')
  and n.nspname not like 'pg_toast%'`

interface Column {
  table: string
  column: string
  type: string
}

async function columnsOf(sql: Sql): Promise<Column[]> {
  const { rows } = await sql.query<Column>(
    `select format('%I.%I', n.nspname, c.relname) as table, a.attname as column,
       format_type(a.atttypid, null) as type
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where ${IS_SEARCHED} order by 1, 2`,
  )
  return rows
}

/** Returns every column that contains the value in some row, as `schema.table.column`. */
export async function foundInDatabase(sql: Sql, value: string): Promise<string[]> {
  const found: string[] = []
  for (const { table, column, type } of await columnsOf(sql)) {
    const condition =
      type === 'bytea'
        ? `position(convert_to($1, 'UTF8') in "${column}") > 0`
        : `position(lower($1) in lower("${column}"::text)) > 0`
    const { rows } = await sql.query(`select from ${table} where ${condition} limit 1`, [value])
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}

/** All values of each column, by `schema.table.column`: text in lower case, and bytes as hexadecimal digits. */
export async function dumpOf(sql: Sql): Promise<Map<string, string>> {
  const dump = new Map<string, string>()
  for (const { table, column } of await columnsOf(sql)) {
    const { rows } = await sql.query<{ text: string | null }>(
      `select lower(string_agg("${column}"::text, chr(10))) as text from ${table}`,
    )
    dump.set(`${table}.${column}`, rows[0]?.text ?? '')
  }
  return dump
}

/** The columns that contain the value, as text or as bytes. */
export function columnsWith(dump: ReadonlyMap<string, string>, value: string): string[] {
  const forms = [value.toLowerCase(), Buffer.from(value).toString('hex')]
  return [...dump].flatMap(([column, text]) =>
    forms.some((form) => text.includes(form)) ? [column] : [],
  )
}
