import { sql } from 'kysely'
import { withoutStatementTimeout } from '../../db/database.ts'
import type { Database } from '../../db/database.ts'

export interface KeyUse {
  /** None where a hash does not tell its pepper: from before there were several. */
  keyId: string | null
  rows: number
}

/** As the hash says it, in base64 without its filling. */
const PEPPER_ID = `encode(decode(substring(password_hash from 'keyid=([^,$]+)') || '=', 'base64'), 'hex')`

/** Counts the rows that each key encrypted or hashed. */
export function keyUses(db: Database, encryptedTables: readonly string[]) {
  return db.transaction().execute(async (tx) => {
    await withoutStatementTimeout(tx)
    const counted = async (table: string, keyId: string) => {
      const { rows } = await sql<KeyUse>`
        select ${sql.raw(keyId)} as "keyId", count(*)::int as rows from ${sql.table(table)}
        group by 1`.execute(tx)
      return rows
    }
    const encrypted = []
    for (const table of encryptedTables) {
      encrypted.push({ what: table, uses: await counted(table, 'key_id') })
    }
    return { encrypted, passwords: await counted('users', PEPPER_ID) }
  })
}
