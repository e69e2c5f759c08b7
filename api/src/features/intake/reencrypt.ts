import type { Tx } from '../../db/database.ts'
import type { Sealer } from '../../platform/crypto/sealer.ts'
import { lockIntakesOfKeys, updateSealed } from './intakes.sql.ts'
import { contextOf } from './sealed-answers.ts'

const BATCH = 100

export async function reencryptIntakes(tx: Tx, sealer: Sealer): Promise<number> {
  const locked = await lockIntakesOfKeys(tx, sealer.olderKeyIds, BATCH)
  for (const { id, userId, ...sealed } of locked) {
    await updateSealed(
      tx,
      id,
      sealer.seal(sealer.open(sealed, contextOf(userId)), contextOf(userId)),
    )
  }
  return locked.length
}
