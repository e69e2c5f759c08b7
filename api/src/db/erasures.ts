import { sql } from 'kysely'
import type { Queryable, Tx } from './database.ts'
import { Busy } from './locks.ts'

export interface Erasure {
  userId: string
  contactId: string | null
  erasedAt: Date
}

export async function recordErasure(
  tx: Tx,
  { userId, contactId }: Pick<Erasure, 'userId' | 'contactId'>,
): Promise<void> {
  await tx
    .insertInto('erasures')
    .values({ user_id: userId, contact_id: contactId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function erasures(db: Queryable): Promise<Erasure[]> {
  return db
    .selectFrom('erasures')
    .select(['user_id as userId', 'contact_id as contactId', 'erased_at as erasedAt'])
    .orderBy('erased_at')
    .orderBy('user_id')
    .execute()
}

/** Of these contacts, those that were erased and have no new account. */
export async function erasedContacts(db: Queryable, ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select contact_id as id from erasures
    where contact_id = any(${ids})
      and not exists (select from links where links.contact_id = erasures.contact_id
        and state in ('live', 'frozen'))`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export type Erasable = NonNullable<Awaited<ReturnType<typeof findErasable>>>

export async function findErasable(db: Queryable, by: { email: string } | { userId: string }) {
  const [column, value] =
    'email' in by ? (['email', by.email] as const) : (['id', by.userId] as const)
  return db
    .selectFrom('users')
    .select([
      'id as userId',
      'email',
      'role',
      'is_active as isActive',
      sql<string | null>`(select contact_id from links where user_id = users.id
        and links.state in ('live', 'frozen'))`.as('contactId'),
      'box_folder_id as boxFolderId',
    ])
    .where(column, '=', value)
    .executeTakeFirst()
}

/** The ids by which other systems and jobs refer to the account's data. */
export async function relatedIdsOf(tx: Tx, userId: string) {
  const { rows } = await sql<{
    documents: string[]
    waiting: string[]
    crmDocuments: string[]
    boxFiles: string[]
    challenges: string[]
    intake: string | null
    contactRequests: string[]
    unsent: number
  }>`
    select
      array(select id::text from documents where user_id = ${userId} order by id) as documents,
      array(select distinct document_id::text from uploads
        where user_id = ${userId} and stored_at is null) as waiting,
      array(select crm_id from documents
        where user_id = ${userId} and crm_id is not null order by id) as "crmDocuments",
      array(select box_file_id from documents
        where user_id = ${userId} and box_file_id is not null and not exists (
          select from misplaced_files m where m.user_id = ${userId} and m.file_id = box_file_id)
        order by id) as "boxFiles",
      array(select id::text from challenges where user_id = ${userId}) as challenges,
      (select id::text from intakes where user_id = ${userId}) as intake,
      array(select id::text from contact_requests where user_id = ${userId} order by id)
        as "contactRequests",
      (select count(*)::int from crm_outbox where user_id = ${userId} and sent_at is null) as unsent
  `.execute(tx)
  return rows[0]!
}

/** No worker claims these documents until the transaction ends; throws `Busy` while one of them is being sent. */
export async function lockWaitingDocuments(tx: Tx, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ claimed: boolean | null }>`
    select claimed_until > now() as claimed from documents
    where id = any(${ids}) order by id for update`.execute(tx)
  if (rows.some(({ claimed }) => claimed)) throw new Busy('a document is being sent')
}

/** Dependent rows are deleted by cascade. */
export async function deleteAccount(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', userId).execute()
}
