import { DEVICE_DAYS } from '@guidon/contract/limits'
import { DAY_HOURS, deleteExpired } from '../../db/retention.ts'
import type { Feature } from '../feature.ts'

/** Each row has up to a hundred and fifty dependent rows. */
const SMALL_BATCH = 100

export const authTables: NonNullable<Feature['tables']> = {
  users: {
    export: 'account',
    erase: 'deleted: the row of the account itself',
    retention: 'kept: until the account is erased',
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
