import { sql } from 'kysely'
import { unhurried } from './database.ts'
import type { Database } from './database.ts'

export interface KeyUse {
  /** None where a hash does not tell its pepper: from before there were several. */
  keyId: string | null
  rows: number
}

/** As the hash says it, in base64 without its filling. */
const PEPPER_ID = `encode(decode(substring(password_hash from 'keyid=([^,$]+)') || '=', 'base64'), 'hex')`

/** How many rows were made with each key. */
export function keyUses(db: Database) {
  return db.transaction().execute(async (tx) => {
    await unhurried(tx)
    const counted = async (table: string, keyId: string) => {
      const { rows } = await sql<KeyUse>`
        select ${sql.raw(keyId)} as "keyId", count(*)::int as rows from ${sql.table(table)}
        group by 1`.execute(tx)
      return rows
    }
    return {
      intakes: await counted('intakes', 'key_id'),
      chunks: await counted('upload_chunks', 'key_id'),
      passwords: await counted('users', PEPPER_ID),
    }
  })
}
