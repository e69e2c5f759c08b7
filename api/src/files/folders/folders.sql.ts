import type { Role } from '@guidon/contract/account'
import { BOX_ID } from '@guidon/contract/box-id'
import type { FolderProblem } from '@guidon/contract/folders'
import { sql } from 'kysely'
import type { Generated } from 'kysely'
import { IS_CURRENT } from '../../crm/links/links.sql.ts'
import { now, statement } from '../../db/database.ts'
import type { Queryable, Tx } from '../../db/database.ts'

/** The folders of accounts in the file store. `files/folders/` decides about them; here are the queries. */

interface BoxFolders {
  user_id: string
  folder_id: string
  asked_at: Generated<Date>
  opened_at: Date | null
  name: string | null
  parent_name: string | null
  problem: string | null
}

interface MisplacedFiles {
  user_id: string
  file_id: string
  found_at: Generated<Date>
}

declare module '../../db/schema.ts' {
  interface Schema {
    box_folders: BoxFolders
    misplaced_files: MisplacedFiles
  }
}

/** Whether a text of the CRM cannot be an id in the file store. Null for no text. */
export const isNoBoxId = (text: string) => `${text} !~ '${BOX_ID.source}'`

const selectOthers = statement<{ found: boolean }>(`
  select exists (select from users where box_folder_id = any($2) and id <> $1)
    or exists (
      select from crm_contact
      where box_folder_id = any($2) and not deleted
        and not exists (
          select from users
          where users.id = $1 and (
            exists (select from links where user_id = users.id and contact_id = crm_contact.id
              and ${IS_CURRENT})
            or not has_contact and portal_user_id = users.id::text
              and not exists (select from links where user_id = users.id
                and contact_id = crm_contact.id and state = 'ended')))) as found`)

/** Whether one of these folders is that of another account, or of another contact in the CRM. */
export async function areOfOthers(
  db: Queryable,
  userId: string,
  folderIds: readonly string[],
): Promise<boolean> {
  if (folderIds.length === 0) return false
  const [row] = await selectOthers(db, userId, folderIds)
  return row!.found
}

/** Like `areOfOthers`, of accounts only: a contact may name any folder by mistake. */
export async function areOfOtherAccounts(
  db: Queryable,
  userId: string,
  folderIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from users where box_folder_id = any(${folderIds}) and id <> ${userId} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Until the transaction ends, no other account gets the folder. */
export async function lockFolder(tx: Tx, folderId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`box folder ${folderId}`}, 0))`.execute(
    tx,
  )
}

export async function setFolderId(tx: Tx, userId: string, folderId: string): Promise<void> {
  await tx.updateTable('users').set({ box_folder_id: folderId }).where('id', '=', userId).execute()
}

export interface OpenedFolder {
  name: string | null
  parentName: string | null
  problem: Exclude<FolderProblem, 'notAnId'> | null
}

/** Marks the folder as one that a worker must open. */
export async function askForFolder(tx: Tx, userId: string, folderId: string): Promise<void> {
  await tx
    .insertInto('box_folders')
    .values({ user_id: userId, folder_id: folderId })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'folder_id']).doUpdateSet({ asked_at: now }),
    )
    .execute()
}

export async function recordFolder(
  db: Queryable,
  userId: string,
  folderId: string,
  { name, parentName, problem }: OpenedFolder,
): Promise<void> {
  const found = { name, parent_name: parentName, problem, opened_at: sql<Date>`clock_timestamp()` }
  await db
    .insertInto('box_folders')
    .values({ user_id: userId, folder_id: folderId, ...found })
    .onConflict((conflict) => conflict.columns(['user_id', 'folder_id']).doUpdateSet(found))
    .execute()
}

interface KnownFolder extends OpenedFolder {
  secondsAgo: number
  /** Whether it was opened since somebody asked. */
  isAnswer: boolean
}

const selectKnown = statement<KnownFolder>(`
  select name, parent_name as "parentName", problem, opened_at >= asked_at as "isAnswer",
    extract(epoch from clock_timestamp() - opened_at)::float8 as "secondsAgo"
  from box_folders where user_id = $1 and folder_id = $2 and opened_at is not null`)

/** What was found when the folder was opened last. */
export async function knownFolder(
  db: Queryable,
  userId: string,
  folderId: string,
): Promise<KnownFolder | undefined> {
  const [folder] = await selectKnown(db, userId, folderId)
  return folder
}

interface FolderState {
  role: Role
  problem: FolderProblem | null
  otherOfContact: string | null
}

/** Of the account's folder, which is that of the contact as long as it has none. */
const STATE = `
  case when u.box_folder_id is null and ${isNoBoxId('c.box_folder_id')} then 'notAnId' else f.problem end`
const selectState = statement<FolderState>(`
  select u.role, ${STATE} as problem,
    case when c.box_folder_id <> u.box_folder_id then c.box_folder_id end as "otherOfContact"
  from users u left join case_contact c on c.user_id = u.id
  left join box_folders f on f.user_id = u.id
    and f.folder_id = coalesce(u.box_folder_id, c.box_folder_id)
  where u.id = $1 and u.email_verified_at is not null`)

/** Undefined if there is no such account. */
export async function folderState(db: Queryable, userId: string): Promise<FolderState | undefined> {
  const [state] = await selectState(db, userId)
  return state
}

/** Returns whether the file was not known as misplaced. */
export async function recordMisplaced(
  db: Queryable,
  userId: string,
  fileId: string,
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into misplaced_files (user_id, file_id) values (${userId}, ${fileId})
    on conflict (user_id, file_id) do update set found_at = now()
    returning old.user_id is null as "isNew"`.execute(db)
  return rows[0]!.isNew
}

const deleteMisplaced = statement(`delete from misplaced_files where user_id = $1 and file_id = $2`)

export async function forgetMisplaced(
  db: Queryable,
  userId: string,
  fileId: string,
): Promise<void> {
  await deleteMisplaced(db, userId, fileId)
}

export interface StorageProblem {
  email: string
  /** A reason of `FOLDER_PROBLEMS`, or why a file cannot be opened. */
  problem: string
  /** What the account or the document has in its field. */
  id: string
  /** The CRM's document. Null for a folder. */
  document: string | null
}

const PROBLEMS_MAX = 200
/** Found by indexes: the accounts are many, and these few. */
const FOLDER_PROBLEMS = sql.raw(`
  select u.email, f.problem, f.folder_id as id
  from box_folders f join users u on u.id = f.user_id
  left join case_contact c on c.user_id = u.id
  where f.problem is not null and f.folder_id = coalesce(u.box_folder_id, c.box_folder_id)
  union all
  select u.email, 'notAnId', left(c.box_folder_id, 40)
  from crm_contact c join links l on l.contact_id = c.id and l.state = 'live'
  join users u on u.id = l.user_id
  where not c.deleted and ${isNoBoxId('c.box_folder_id')} and u.box_folder_id is null`)

/** For the operator: whose folder cannot be used, and whose files cannot be opened. */
export async function storageProblems(db: Queryable): Promise<StorageProblem[]> {
  const { rows } = await sql<StorageProblem>`
    select *, null as document from (${FOLDER_PROBLEMS}) as folders
    union all
    select u.email, 'misplaced', m.file_id, c.id
    from misplaced_files m join users u on u.id = m.user_id
    left join case_document c on c.user_id = u.id and c.box_file_id = m.file_id
    union all
    select u.email, 'noId', left(c.box_file_id, 40), c.id
    from case_document c join users u on u.id = c.user_id where ${sql.raw(isNoBoxId('c.box_file_id'))}
    order by 1, 2, 3 limit ${PROBLEMS_MAX}`.execute(db)
  return rows
}

export async function folderProblemCounts(db: Queryable) {
  const { rows } = await sql<{ folders: number; misplaced: number; noIds: number }>`
    select (select count(*)::int from (${FOLDER_PROBLEMS}) as found) as folders,
    (select count(*)::int from misplaced_files) as misplaced,
    (select count(*)::int from crm_document
      where not deleted and ${sql.raw(isNoBoxId('box_file_id'))}) as "noIds"`.execute(db)
  return rows[0]!
}
