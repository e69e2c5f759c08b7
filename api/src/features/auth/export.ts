import { sql } from 'kysely'
import { rowsOf } from '../../db/database.ts'
import type { Tx } from '../../db/database.ts'
import type { Export } from '../feature.ts'

/** Does not export hashes or keys. */
export function exportAccount(): Export {
  return {
    read: async (tx, userId) => ({
      account: await accountRecord(tx, userId),
      signIns: await signInRecords(tx, userId),
      unverifiedSignUps: await signUpRecords(tx, userId),
    }),
  }
}

async function accountRecord(tx: Tx, userId: string) {
  const [account] = await rowsOf(
    tx,
    sql`
      select id, email, first_name as "firstName", last_name as "lastName", phone, state, role,
        is_active as "isActive", signed_up_at as "signedUpAt", email_verified_at as "emailVerifiedAt",
        password_expires_at as "temporaryPasswordUntil", box_folder_id as "boxFolderId",
        address, address_said_at as "addressSaidAt",
        created_at as "createdAt"
      from users where id = ${userId}`,
  )
  return account
}

async function signInRecords(tx: Tx, userId: string) {
  return {
    sessions: await rowsOf(
      tx,
      sql`select created_at as "openedAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt",
          revoked_at as "endedAt"
        from sessions where user_id = ${userId} order by created_at`,
    ),
    codes: await rowsOf(
      tx,
      sql`select created_at as "askedAt", purpose, sends as "sent", consumed_at as "usedAt"
        from challenges where user_id = ${userId} and not decoy order by created_at`,
    ),
    resetLinks: await rowsOf(
      tx,
      sql`select created_at as "askedAt", used_at as "usedAt", expires_at as "expiresAt"
        from reset_tokens where user_id = ${userId} order by created_at`,
    ),
    devices: await rowsOf(
      tx,
      sql`select seen_at as "lastSignInAt" from devices where user_id = ${userId} order by seen_at`,
    ),
  }
}

/** Without the typed data, because someone else may have signed up with this email. */
function signUpRecords(tx: Tx, userId: string) {
  return rowsOf(
    tx,
    sql`select sign_ups.created_at as "signedUpAt", sign_ups.consents as "accepted"
      from sign_ups join users on users.email = sign_ups.email
      where users.id = ${userId} order by sign_ups.id`,
  )
}
