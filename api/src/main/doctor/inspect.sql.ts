import { sql } from 'kysely'
import { APP_ROLE } from '../../db/database.ts'
import type { Database } from '../../db/database.ts'

/** What `admin doctor` reads of the database server and its roles. */

export async function serverState(db: Database) {
  const { rows } = await sql<{ version: string; versionNumber: number; isReadOnly: boolean }>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int as "versionNumber",
      current_setting('transaction_read_only')::boolean as "isReadOnly"`.execute(db)
  return rows[0]!
}

/** `APP_ROLE` may neither update nor delete rows of these, and only read the epoch and the archives. */
const APPEND_ONLY = ['audit_archives', 'audit_epoch', 'audit_events', 'audit_seals', 'erasures']

/** Of a connection that uses `APP_ROLE`. */
export async function roleState(db: Database) {
  const { rows } = await sql<{
    isSuperuser: boolean
    mayChangeAuditLog: boolean
    missing: string[]
  }>`
    select rolsuper as "isSuperuser",
      exists (select from pg_class where relkind in ('r', 'p')
        and (relname in ('audit_events', 'audit_seals')
          or relnamespace = to_regnamespace('partitions') and relname like 'audit_events_%')
        and has_table_privilege(session_user, oid, 'update, delete')) as "mayChangeAuditLog",
      array(select privilege || ' on ' || relname
        from pg_class, unnest(array['select', 'insert', 'update', 'delete']) as privilege
        where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
          and not (privilege in ('update', 'delete') and relname = any(${APPEND_ONLY}::text[]))
          and not (privilege = 'insert' and relname in ('audit_archives', 'audit_epoch'))
          and (privilege = 'select' or relname not in ('kysely_migration', 'kysely_migration_lock'))
          and not case privilege
            when 'insert' then has_any_column_privilege(${APP_ROLE}::name, oid, privilege)
            else has_table_privilege(${APP_ROLE}::name, oid, privilege) end
        union all select 'usage on schema pgboss' from pg_namespace
        where nspname = 'pgboss' and not has_schema_privilege(${APP_ROLE}::name, oid, 'usage')
      ) as missing
    from pg_roles where rolname = session_user`.execute(db)
  return rows[0]!
}

/** The clock of the database server. */
export async function serverTime(db: Database): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  return rows[0]!.at
}
