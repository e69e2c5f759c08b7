import { SESSION_HOURS } from '@guidon/contract/limits'
import { keyIdOf } from '../../crypto/key-id.ts'
import type { Sealer } from '../../crypto/sealer.ts'
import type { Database, Tx } from '../../db/database.ts'
import { keyUses } from '../../db/key-uses.ts'
import type { KeyUse } from '../../db/key-uses.ts'

export interface KeyRing {
  tokens: readonly Buffer[]
  peppers: readonly Buffer[]
  data: readonly Buffer[]
}

export interface KeyState {
  variable: 'TOKEN_KEY' | 'PASSWORD_PEPPER' | 'DATA_KEYS'
  keyId: string
  /** `missing` where something was made with a key that is not in the list. */
  place: 'first' | 'older' | 'missing'
  /** What still needs it, in rows; of tokens nobody can tell, only time. */
  needed: string
  /** Whether the list may be shortened by it. */
  mayGo: boolean
}

type Counts = readonly { what: string; uses: readonly KeyUse[] }[]

function statesOf(
  variable: KeyState['variable'],
  ids: readonly string[],
  counts: Counts,
): KeyState[] {
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

/** Every key, and how many rows still need it, so that the operator knows when an old one can go. */
export async function keyStates(db: Database, ring: KeyRing): Promise<KeyState[]> {
  const { intakes, chunks, passwords } = await keyUses(db)
  const hours = Math.max(...Object.values(SESSION_HOURS))
  return [
    ...ring.tokens.map((key, index): KeyState => {
      return {
        variable: 'TOKEN_KEY',
        keyId: keyIdOf('token-key', key),
        place: index === 0 ? 'first' : 'older',
        needed: index === 0 ? 'what is new' : `for ${hours} hours after it stood first`,
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
      [
        { what: 'intakes', uses: intakes },
        { what: 'chunks of uploads', uses: chunks },
      ],
    ),
  ]
}

export interface ResealParts {
  db: Database
  sealer: Sealer
  /** Each seals some rows of its kind with the first key, and answers how many. */
  kinds: Record<'intakes' | 'chunks', (tx: Tx, sealer: Sealer) => Promise<number>>
}

/** Rewrites everything that an older key sealed, in batches: whoever saves meanwhile waits for one of them at most. */
export async function reseal({ db, sealer, kinds }: ResealParts) {
  const resealed = { intakes: 0, chunks: 0 }
  for (const kind of ['intakes', 'chunks'] as const) {
    let count = 0
    do {
      count = await db.transaction().execute((tx) => kinds[kind](tx, sealer))
      resealed[kind] += count
    } while (count > 0)
  }
  return resealed
}
