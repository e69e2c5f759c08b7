import type { Queryable } from '../db/database.ts'

export async function wasSent(db: Queryable, jobId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sent_mails')
    .select('job_id')
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return row !== undefined
}

export async function recordSent(db: Queryable, jobId: string): Promise<void> {
  await db
    .insertInto('sent_mails')
    .values({ job_id: jobId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
