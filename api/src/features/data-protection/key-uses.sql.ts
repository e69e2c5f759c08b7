import { sql } from 'kysely'
import { withoutStatementTimeout } from '../../db/database.ts'
import type { Database } from '../../db/database.ts'

export interface KeyUse {
  /** Null for an old password hash that does not name its pepper. */
  keyId: string | null
  rows: number
}

/** The hash contains the id in base64 without padding. */
const PEPPER_ID = `encode(decode(substring(password_hash from 'keyid=([^,$]+)') || '=', 'base64'), 'hex')`

/** Counts the rows that each key encrypted or hashed. */
export function keyUses(db: Database, encryptedTables: readonly string[]) {
  return db.transaction().execute(async (tx) => {
    await withoutStatementTimeout(tx)
    const count = async (table: string, keyId: string) => {
      const { rows } = await sql<KeyUse>`
        select ${sql.raw(keyId)} as "keyId", count(*)::int as rows from ${sql.table(table)}
        group by 1`.execute(tx)
      return rows
    }
    const encrypted = []
    for (const table of encryptedTables) {
      encrypted.push({ what: table, uses: await count(table, 'key_id') })
    }
    return { encrypted, passwords: await count('users', PEPPER_ID) }
  })
}
