import { sql } from 'kysely'
import type { Queryable } from '../../db/database.ts'

/** Tests replace it, to see a night or a change of the clocks. */
export type Now = (db: Queryable) => Promise<Date>

/** The clocks of the processes may differ. */
export const databaseTime: Now = async (db) =>
  (await sql<{ now: Date }>`select now() as now`.execute(db)).rows[0]!.now
