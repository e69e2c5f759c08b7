import type { NoticeKind } from '@guidon/contract/notices'
import type { Generated } from 'kysely'
import { statement } from '../../db/database.ts'
import type { Queryable, Tx } from '../../db/database.ts'

interface NoticePreferences {
  user_id: string
  off: NoticeKind[]
  changed_at: Generated<Date>
}

declare module '../../db/schema.ts' {
  interface Schema {
    notice_preferences: NoticePreferences
  }
}

const selectOff = statement<{ off: NoticeKind[] }>(
  `select off from notice_preferences where user_id = $1`,
)

/** The kinds that are turned off. */
export async function findOff(db: Queryable, userId: string): Promise<NoticeKind[]> {
  return (await selectOff(db, userId))[0]?.off ?? []
}

const selectVeteran = statement(`select from users where id = $1 and role = 'USER'`)

export async function isVeteran(db: Queryable, userId: string): Promise<boolean> {
  return (await selectVeteran(db, userId)).length > 0
}

/** One statement, so that two switches at the same time do not undo each other. */
const upsertOff = statement(`
  insert into notice_preferences as stored (user_id, off)
  select id, $2::text[] from users where id = $1 and $3::boolean
  on conflict (user_id) do update
    set off = array(select unnest(stored.off) union select unnest($2::text[]) order by 1),
      changed_at = now()
    where not stored.off @> $2::text[]
  returning user_id`)
const removeOff = statement(`
  update notice_preferences set changed_at = now(),
    off = array(select unnest(off) except select unnest($2::text[]) order by 1)
  where user_id = $1 and off && $2::text[] returning user_id`)

/** Returns false if nothing changed. */
export async function setOff(
  tx: Tx,
  userId: string,
  kinds: readonly NoticeKind[],
  isOff: boolean,
): Promise<boolean> {
  const rows = isOff
    ? await upsertOff(tx, userId, kinds, kinds.length > 0)
    : await removeOff(tx, userId, kinds)
  return rows.length > 0
}
