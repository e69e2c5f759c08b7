import { SESSION_HOURS } from '@guidon/contract/limits'
import type { Database } from '../../db/database.ts'
import { keyIdOf } from '../../platform/crypto/key-id.ts'
import type { Sealer } from '../../platform/crypto/sealer.ts'
import type { Reencrypt } from '../feature.ts'
import { keyUses } from './key-uses.sql.ts'
import type { KeyUse } from './key-uses.sql.ts'

export interface KeyParts {
  db: Database
  sealer: Sealer
  keys: KeyRing
  /** By table. */
  encrypted: Record<string, Reencrypt>
}

interface KeyRing {
  tokens: readonly Buffer[]
  peppers: readonly Buffer[]
  data: readonly Buffer[]
}

interface KeyState {
  variable: 'TOKEN_KEY' | 'PASSWORD_PEPPER' | 'DATA_KEYS'
  keyId: string
  /** `missing`: rows need this key, but the list does not have it. */
  place: 'first' | 'older' | 'missing'
  /**
   * What needs the key. For encrypted data and passwords: the number of rows. Stored token hashes do not contain the
   * id of their key, so for TOKEN_KEY: how long an older key is needed.
   */
  needed: string
  /**
   * Whether no row needs the key, so that it can be removed from the list. Always false for TOKEN_KEY, because the
   * program does not know since when another key is the first.
   */
  mayGo: boolean
}

type Counts = readonly { what: string; uses: readonly KeyUse[] }[]

function statesOf(
  variable: KeyState['variable'],
  ids: readonly string[],
  counts: Counts,
): KeyState[] {
  // A password hash that does not name its pepper was made with the oldest one.
  const used = counts.flatMap(({ uses }) => uses.map(({ keyId }) => keyId ?? ids.at(-1)!))
  const all = [...new Set([...ids, ...used])]
  return all.map((keyId) => {
    const place = keyId === ids[0] ? 'first' : ids.includes(keyId) ? 'older' : 'missing'
    const rowsOf = (uses: readonly KeyUse[]) =>
      uses
        .filter((use) => (use.keyId ?? ids.at(-1)) === keyId)
        .reduce((sum, { rows }) => sum + rows, 0)
    const parts = counts.map(({ what, uses }) => ({ what, rows: rowsOf(uses) }))
    return {
      variable,
      keyId,
      place,
      needed: parts.map(({ what, rows }) => `${rows} ${what}`).join(', '),
      mayGo: place === 'older' && parts.every(({ rows }) => rows === 0),
    }
  })
}

async function keyStates(
  db: Database,
  ring: KeyRing,
  tables: readonly string[],
): Promise<KeyState[]> {
  const { encrypted, passwords } = await keyUses(db, tables)
  const hours = Math.max(...Object.values(SESSION_HOURS))
  return [
    ...ring.tokens.map((key, index): KeyState => {
      return {
        variable: 'TOKEN_KEY',
        keyId: keyIdOf('token-key', key),
        place: index === 0 ? 'first' : 'older',
        needed:
          index === 0 ? 'new tokens' : `until ${hours} hours after a newer key became the first`,
        mayGo: false,
      }
    }),
    ...statesOf(
      'PASSWORD_PEPPER',
      ring.peppers.map((key) => keyIdOf('pepper', key)),
      [{ what: 'passwords', uses: passwords }],
    ),
    ...statesOf(
      'DATA_KEYS',
      ring.data.map((key) => keyIdOf('data-key', key)),
      encrypted,
    ),
  ]
}

export interface Keys {
  states(): Promise<KeyState[]>
  /** Encrypts everything again that an older key encrypted. Returns the rows by table. */
  reseal(): Promise<Record<string, number>>
}

export function keys({ db, sealer, keys: ring, encrypted }: KeyParts): Keys {
  return {
    states: () => keyStates(db, ring, Object.keys(encrypted)),
    // In batches, so that a concurrent save waits for one batch at most.
    reseal: async () => {
      const changed: Record<string, number> = {}
      for (const [table, reencrypt] of Object.entries(encrypted)) {
        let total = 0
        let count = 0
        do {
          count = await db.transaction().execute((tx) => reencrypt(tx, sealer))
          total += count
        } while (count > 0)
        changed[table] = total
      }
      return changed
    },
  }
}
