import { DEVICE_DAYS } from '@guidon/contract/limits'
import { statement } from '../../db/database.ts'
import { DAY_HOURS, deleteExpired, DUE_BEFORE } from '../../db/retention.ts'
import type { DeleteExpired } from '../../db/retention.ts'
import type { Feature } from '../feature.ts'

/** Each row has up to a hundred and fifty dependent rows. */
const SMALL_BATCH = 100

/**
 * Accounts of the previous release whose email nobody verified. Accounts with a valid code, link or
 * temporary password are kept, and so are accounts that staff deactivated: they stay locked out.
 */
const unverifiedAccounts = statement<{ count: number }>(`
  with due as (
    select id from users
    where email_verified_at is null and coalesce(terms_accepted_at, created_at) < ${DUE_BEFORE}
      and role = 'USER' and is_active and not has_contact
      and coalesce(password_expires_at <= now(), true)
      and not exists (select from challenges where user_id = users.id and expires_at > now())
      and not exists (select from reset_tokens where user_id = users.id and expires_at > now())
    order by coalesce(terms_accepted_at, created_at) limit $2 for update skip locked),
  gone as (delete from users using due where users.id = due.id returning users.id),
  logged as (
    insert into audit_events (event, subject_id) select 'unverified_account_removed', id from gone)
  select count(*)::int as count from gone`)

const deleteUnverifiedAccounts: DeleteExpired = async (db, hours, limit) =>
  (await unverifiedAccounts(db, hours, limit))[0]!.count

export const authTables: NonNullable<Feature['tables']> = {
  users: {
    export: 'account',
    erase: 'deleted: the row of the account itself',
    // Unverified accounts of the previous release only. Verified accounts stay until they are erased.
    retention: { hours: 7 * DAY_HOURS, delete: deleteUnverifiedAccounts, batch: SMALL_BATCH },
  },
  challenges: {
    export: 'signIns',
    erase: 'cascade',
    // Long enough for support to see why a code did not work.
    retention: 'dropped: with the partition of their day, 25 hours after the day',
  },
  reset_tokens: {
    export: 'signIns',
    erase: 'cascade',
    retention: {
      hours: DAY_HOURS,
      delete: deleteExpired('reset_tokens', { key: ['token_hash'], expiry: 'expires_at' }),
    },
  },
  sessions: {
    export: 'signIns',
    erase: 'cascade',
    // A replayed refresh token is detected until its session expires. Kept until the partitions of its tokens are dropped:
    // deleting a session before would delete its tokens one by one.
    retention: {
      hours: 2 * DAY_HOURS,
      delete: deleteExpired('sessions', { expiry: 'expires_at' }),
      batch: SMALL_BATCH,
    },
  },
  session_tokens: {
    export: 'not exported: hashes of tokens, no data about the person',
    erase: 'cascade',
    retention: 'dropped: with the partition of their day, 25 hours after the day',
  },
  sign_ups: {
    export: 'unverifiedSignUps',
    erase: 'deleted: by the email of the account',
    // Kept for a day, so that support can see why a code did not arrive.
    retention: { hours: DAY_HOURS, delete: deleteExpired('sign_ups', { expiry: 'created_at' }) },
  },
  devices: {
    export: 'signIns',
    erase: 'cascade',
    // As long as a browser keeps the device cookie.
    retention: {
      hours: DEVICE_DAYS * DAY_HOURS,
      delete: deleteExpired('devices', { key: ['user_id', 'token_hash'], expiry: 'seen_at' }),
    },
  },
  limits: {
    noPersonalData: 'counters under keyed hashes',
    // Without the row, the next request starts a new window, so an expired one can be deleted at once.
    retention: {
      hours: 0,
      delete: deleteExpired('limits', {
        key: ['key'],
        expiry: 'resets_at',
        where: 'blocked_until <= now()',
      }),
    },
  },
}
