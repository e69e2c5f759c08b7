import { statement } from './database.ts'
import type { Queryable } from './database.ts'

/** Removes up to so many rows that were over so many hours ago; answers how many. */
export type Removal = (db: Queryable, hours: number, most: number) => Promise<number>

const AGO = 'now() - make_interval(hours => $1::int)'

/**
 * Oldest first, so that the index of the order leads to them. A row that someone holds is left for the next
 * time: nobody waits for the sweep, and the sweep waits for nobody.
 */
function removal(table: string, key: string[], over: string, but = 'true'): Removal {
  const ofBoth = key.map((column) => `${table}.${column} = due.${column}`).join(' and ')
  const remove = statement<{ count: number }>(`
    with due as (
      select ${key.join(', ')} from ${table} where ${over} < ${AGO} and ${but}
      order by ${over} limit $2 for update skip locked),
    gone as (delete from ${table} using due where ${ofBoth} returning 1)
    select count(*)::int as count from gone`)
  return async (db, hours, most) => (await remove(db, hours, most))[0]!.count
}

export const removeChallenges = removal('challenges', ['id'], 'expires_at')
/** With their challenges. */
export const removeSignUps = removal('sign_ups', ['id'], 'created_at')
export const removeResetTokens = removal('reset_tokens', ['token_hash'], 'expires_at')
/** With their tokens. */
export const removeSessions = removal('sessions', ['id'], 'expires_at')
export const removeLimits = removal('limits', ['key'], 'resets_at', 'blocked_until <= now()')
export const removeSentMails = removal('sent_mails', ['job_id'], 'sent_at')
/** An account's own entry says that the CRM knows of it, and stays. */
export const removeSentEntries = removal('crm_outbox', ['number'], 'sent_at', `kind <> 'contact'`)
export const removeStoredUploads = removal('uploads', ['id'], 'stored_at')
export const removeUsage = removal('crm_api_usage', ['day'], 'at')
export const removeDevices = removal('devices', ['user_id', 'token_hash'], 'seen_at')
/** The events themselves stay. */
export const removeSources = removal('audit_sources', ['transaction', 'id'], 'at')

/**
 * Rows of the previous release whose email nobody verified, with all that belongs to them. Not those with an open
 * code, link or temporary password, and not those that staff deactivated: they stay locked out.
 */
const selectUnverified = statement<{ count: number }>(`
  with due as (
    select id from users
    where email_verified_at is null and coalesce(terms_accepted_at, created_at) < ${AGO}
      and role = 'USER' and is_active and salesforce_id is null and linked_at is null
      and coalesce(password_expires_at <= now(), true)
      and not exists (select from challenges where user_id = users.id and expires_at > now())
      and not exists (select from reset_tokens where user_id = users.id and expires_at > now())
    order by coalesce(terms_accepted_at, created_at) limit $2 for update skip locked),
  gone as (delete from users using due where users.id = due.id returning users.id),
  noted as (
    insert into audit_events (event, subject_id) select 'unverified_account_removed', id from gone)
  select count(*)::int as count from gone`)

export const removeUnverified: Removal = async (db, hours, most) =>
  (await selectUnverified(db, hours, most))[0]!.count
