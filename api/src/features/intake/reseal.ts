import type { Tx } from '../../db/database.ts'
import type { Sealer } from '../../platform/crypto/sealer.ts'
import { lockIntakesOfKeys, setSeal } from './intakes.sql.ts'
import { about } from './sealed-answers.ts'

const BATCH = 100

/** Seals some intakes with the first key that an older one sealed. Answers how many. */
export async function resealIntakes(tx: Tx, sealer: Sealer): Promise<number> {
  const held = await lockIntakesOfKeys(tx, sealer.olderKeyIds, BATCH)
  for (const { id, userId, ...sealed } of held) {
    await setSeal(tx, id, sealer.seal(sealer.open(sealed, about(userId)), about(userId)))
  }
  return held.length
}
