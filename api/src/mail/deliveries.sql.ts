import { BOUNCE_DAYS, BOUNCES_UNTIL_UNREACHABLE } from '@guidon/contract/notices'
import type { DeliveryKind, DeliveryState } from '@guidon/contract/notices'
import type { Generated } from 'kysely'
import { statement } from '../db/database.ts'
import type { Queryable } from '../db/database.ts'

interface Deliveries {
  id: string
  user_id: string
  channel: Generated<string>
  kinds: string[]
  state: DeliveryState
  queued_at: Generated<Date>
  changed_at: Generated<Date>
  result: string | null
}

declare module '../db/schema.ts' {
  interface Schema {
    deliveries: Deliveries
  }
}

/** The account that an email is for, and what the email is about. */
export interface About {
  userId: string
  kinds: readonly DeliveryKind[]
}

/** Inserts nothing if the account has been erased meanwhile. Changes a delivery only while it is queued. */
const UPSERT = `
  insert into deliveries (id, user_id, kinds, state, result)
  select $1, id, $3::text[], $4, $5 from users where id = $2
  on conflict (id) do update set state = excluded.state, result = excluded.result, changed_at = now()
    where deliveries.state = 'queued'`

const insertSent = statement(`
  with sent as (insert into sent_mails (job_id) values ($1) on conflict do nothing)
  ${UPSERT}`)
const insertFailed = statement(UPSERT)

export async function recordSentToAccount(db: Queryable, id: string, about: About): Promise<void> {
  await insertSent(db, id, about.userId, about.kinds, 'sent', null)
}

/** The relay refused the recipient. */
export async function recordRefused(
  db: Queryable,
  id: string,
  about: About,
  code: string,
): Promise<void> {
  await insertFailed(db, id, about.userId, about.kinds, 'failed', code)
}

const setReported = statement<{ userId: string }>(`
  update deliveries set state = $2, result = $3, changed_at = now()
  where id = $1 and state = any($4::text[]) returning user_id as "userId"`)

/** The states that a report may change. */
const STATES_BEFORE = {
  delivered: ['queued', 'sent'],
  failed: ['queued', 'sent', 'delivered'],
} as const

/** Returns false if the report changes nothing: a repetition, an outdated one, or one about an unknown email. */
export async function recordReport(
  db: Queryable,
  { id, state, status }: { id: string; state: 'delivered' | 'failed'; status: string | null },
): Promise<boolean> {
  const result = state === 'failed' ? status : null
  return (await setReported(db, id, state, result, STATES_BEFORE[state])).length > 0
}

const setUsed = statement(`
  update deliveries set state = 'delivered', changed_at = now() where id = (
    select id from deliveries
    where user_id = $1 and state in ('queued', 'sent') and $2 = any(kinds)
    order by queued_at desc limit 1)`)

/** Marks the latest email with a code or a link as delivered: its use proves that it arrived. */
export async function recordUsed(
  db: Queryable,
  userId: string,
  kind: 'code' | 'resetLink',
): Promise<void> {
  await setUsed(db, userId, kind)
}

const selectReachable = statement<{ reachable: boolean }>(`
  select count(*) < ${BOUNCES_UNTIL_UNREACHABLE} as reachable from (
    select changed_at from deliveries
    where user_id = $1 and state = 'failed' and queued_at > now() - interval '${BOUNCE_DAYS} days'
      and coalesce(result, '') not like '4%'
      and changed_at > coalesce((select max(changed_at) from deliveries
        where user_id = $1 and state = 'delivered'), '-infinity')
    limit ${BOUNCES_UNTIL_UNREACHABLE}) as bounced`)

/**
 * False if too many emails of the last days have bounced since one was last marked as delivered. A status that begins
 * with 4 is temporary, so it is not counted.
 */
export async function isReachable(db: Queryable, userId: string): Promise<boolean> {
  const [row] = await selectReachable(db, userId)
  return row!.reachable
}
