import { sql } from 'kysely'
import type { Database, Queryable, Tx } from '../../../db/database.ts'
import { Busy } from '../../../db/locks.ts'

/** The right to send a document's files to the file store. It needs no connection, and expires if it is not renewed. */
export interface Claim {
  documentId: string
  by: string
}

const until = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

/** Returns false if the document does not exist; throws `Busy` while another worker sends it. */
export function claimDocument(
  db: Database,
  { documentId, by }: Claim,
  seconds: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const document = await tx
      .selectFrom('documents')
      .select(sql<boolean>`coalesce(claimed_until > now(), false)`.as('claimed'))
      .where('id', '=', documentId)
      .forUpdate()
      .executeTakeFirst()
    if (document?.claimed) throw new Busy(`document ${documentId} is claimed by another worker`)
    await tx
      .updateTable('documents')
      .set({ claimed_by: by, claimed_until: until(seconds) })
      .where('id', '=', documentId)
      .execute()
    return document !== undefined
  })
}

/** Returns false if another worker has the claim. */
export async function renewClaim(
  db: Queryable,
  { documentId, by }: Claim,
  seconds: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('documents')
    .set({ claimed_until: until(seconds) })
    .where('id', '=', documentId)
    .where('claimed_by', '=', by)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Keeps the claim until the transaction ends; throws `Busy` if it has expired and another worker has it. */
export async function lockClaim(tx: Tx, { documentId, by }: Claim): Promise<void> {
  const own = await tx
    .selectFrom('documents')
    .select('id')
    .where('id', '=', documentId)
    .where('claimed_by', '=', by)
    .forUpdate()
    .executeTakeFirst()
  if (!own) throw new Busy(`the claim on document ${documentId} has expired`)
}

export async function releaseClaim(db: Queryable, { documentId, by }: Claim): Promise<void> {
  await db
    .updateTable('documents')
    .set({ claimed_by: null, claimed_until: null })
    .where('id', '=', documentId)
    .where('claimed_by', '=', by)
    .execute()
}
