import type { Client } from 'pg'

/** Without the schema `partitions`, whose rows are read through their parent tables in `public`. */
const IS_SEARCHED = `(c.relkind = 'r' or n.nspname = 'public' and c.relkind = 'p')
  and n.nspname not in ('pg_catalog', 'information_schema', 'partitions')
  and n.nspname not like 'pg_toast%'`

interface Column {
  table: string
  column: string
  type: string
}

/** Returns every column that contains the value in some row, as `schema.table.column`. */
export async function foundInDatabase(sql: Client, value: string): Promise<string[]> {
  const { rows: columns } = await sql.query<Column>(
    `select format('%I.%I', n.nspname, c.relname) as table, a.attname as column,
       format_type(a.atttypid, null) as type
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where ${IS_SEARCHED} order by 1, 2`,
  )
  const found: string[] = []
  for (const { table, column, type } of columns) {
    const condition =
      type === 'bytea'
        ? `position(convert_to($1, 'UTF8') in "${column}") > 0`
        : `position(lower($1) in lower("${column}"::text)) > 0`
    const { rows } = await sql.query(`select from ${table} where ${condition} limit 1`, [value])
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}

/** The rows of each table, by `schema.table`, as a dump has them: text in lower case, and bytes as hexadecimal digits. */
export async function dumpOf(sql: Client): Promise<Map<string, string>> {
  const { rows: tables } = await sql.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${IS_SEARCHED} order by 1`,
  )
  const dump = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await sql.query<{ text: string | null }>(
      `select lower(string_agg(each::text, chr(10))) as text from ${name} each`,
    )
    dump.set(name, rows[0]?.text ?? '')
  }
  return dump
}

/** The tables that contain the value, as text or as bytes. */
export function tablesWith(dump: ReadonlyMap<string, string>, value: string): string[] {
  const forms = [value.toLowerCase(), Buffer.from(value).toString('hex')]
  return [...dump].flatMap(([table, text]) =>
    forms.some((form) => text.includes(form)) ? [table] : [],
  )
}
