import type { Client } from 'pg'

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
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
       and n.nspname not like 'pg_toast%'
     order by 1, 2`,
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
