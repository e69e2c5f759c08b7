import { BOX_ID } from '@guidon/contract/box-id'
import type { FolderProblem } from '@guidon/contract/folders'
import type { Database } from '../../db/database.ts'
import { findFolders, lockUser } from '../../db/users.ts'
import type { Log } from '../../platform/log.ts'
import { FilesRefused, FilesUnavailable } from '../port.ts'
import type { Files, IsOwn } from '../port.ts'
import {
  areOfOtherAccounts,
  areOfOthers,
  forgetMisplaced,
  knownFolder,
  lockFolder,
  recordFolder,
  recordMisplaced,
  setFolderId,
} from './folders.sql.ts'
import type { OpenedFolder } from './folders.sql.ts'

/** A folder with a problem is opened again after this time, because staff may have fixed it in the file store. */
const PROBLEM_SECONDS = 600

/** Which folder is whose: a folder belongs to one account, and an account reads and writes only in its own. */
export interface Folders {
  /** Opens the folder for the account, and records what it finds. */
  open(userId: string, folderId: string): Promise<OpenedFolder>
  /**
   * The folder for the account's uploads. That of the contact is opened first, and is the account's from then on; without
   * one, a new folder is made. Throws `FilesUnavailable` while staff must fix the folder.
   */
  forUploads(userId: string, make: () => Promise<string>): Promise<string>
  /** Records that the file store no longer has the account's folder. */
  vanished(userId: string, folderId: string): Promise<never>
  /**
   * Runs a call for a file that a document of the account names. Throws `FilesRefused` with the code `misplaced` and
   * records it if the file is not in the account's folder.
   */
  withOwn<Result>(
    userId: string,
    fileId: string,
    call: (isOwn: IsOwn) => Promise<Result>,
  ): Promise<Result>
}

export function accountFolders({
  db,
  files,
  log,
}: {
  db: Database
  files: Pick<Files, 'openFolder'>
  log: Log
}): Folders {
  const lookAt = async (userId: string, folderId: string): Promise<OpenedFolder> => {
    const nameless = { name: null, parentName: null }
    if (await areOfOthers(db, userId, [folderId])) return { ...nameless, problem: 'taken' }
    const found = await files.openFolder(folderId).catch((error: unknown) => {
      if (error instanceof FilesRefused && error.code === 'not_found') return undefined
      throw error
    })
    if (!found) return { ...nameless, problem: 'gone' }
    if (found.path.length === 0) return { ...nameless, problem: 'containsOthers' }
    if (await areOfOtherAccounts(db, userId, found.path)) return { ...nameless, problem: 'taken' }
    return { name: found.name, parentName: found.parentName, problem: null }
  }

  const open: Folders['open'] = async (userId, folderId) => {
    const opened = await lookAt(userId, folderId)
    await recordFolder(db, userId, folderId, opened)
    return opened
  }

  const requireUsable = async (
    userId: string,
    folderId: string,
    known: Awaited<ReturnType<typeof knownFolder>>,
  ) => {
    const isRecent = known !== undefined && known.secondsAgo < PROBLEM_SECONDS
    const { problem } = known?.problem && isRecent ? known : await open(userId, folderId)
    if (problem) throw unusable(problem)
  }

  /** Gives the folder to the account, unless it has one meanwhile. */
  const take = (userId: string, folderId: string): Promise<string> =>
    db.transaction().execute(async (tx) => {
      await lockUser(tx, userId)
      await lockFolder(tx, folderId)
      const current = await findFolders(tx, userId)
      if (current?.portalFolderId) return current.portalFolderId
      if (await areOfOthers(tx, userId, [folderId])) throw unusable('taken')
      await setFolderId(tx, userId, folderId)
      return folderId
    })

  const takeThatOfContact = async (userId: string, folderId: string): Promise<string> => {
    if (!BOX_ID.test(folderId)) throw unusable('notAnId')
    await requireUsable(userId, folderId, await knownFolder(db, userId, folderId))
    return take(userId, folderId)
  }

  /** Undefined if the account has none yet. */
  const folderOf = async (userId: string): Promise<string | undefined> => {
    const { portalFolderId, crmFolderId } = (await findFolders(db, userId)) ?? {}
    if (portalFolderId) return portalFolderId
    return crmFolderId ? takeThatOfContact(userId, crmFolderId) : undefined
  }

  const isOwnFor = async (userId: string): Promise<IsOwn> => {
    const own = await folderOf(userId).catch((error: unknown) => {
      if (error instanceof FolderUnusable) return undefined
      throw error
    })
    if (own === undefined) throw new FilesRefused('misplaced')
    return async (path) => {
      const at = path.indexOf(own)
      // A folder inside of the own one may belong to somebody else.
      return at >= 0 && !(await areOfOthers(db, userId, path.slice(at + 1)))
    }
  }

  return {
    open,
    forUploads: async (userId, make) => {
      const own = await folderOf(userId)
      if (own === undefined) return take(userId, await make())
      const known = await knownFolder(db, userId, own)
      if (known?.problem) await requireUsable(userId, own, known)
      return own
    },
    vanished: async (userId, folderId) => {
      await recordFolder(db, userId, folderId, { name: null, parentName: null, problem: 'gone' })
      throw unusable('gone')
    },
    withOwn: async (userId, fileId, call) => {
      if (!BOX_ID.test(fileId)) throw new FilesRefused('not_found')
      try {
        const result = await call(await isOwnFor(userId))
        await forgetMisplaced(db, userId, fileId)
        return result
      } catch (error) {
        if (error instanceof FilesRefused && error.code === 'misplaced') {
          const isNew = await recordMisplaced(db, userId, fileId)
          if (isNew) log.warn({ userId }, 'files: a document names a file outside of its folder')
        }
        throw error
      }
    },
  }
}

/** The upload waits until staff have fixed the folder. */
class FolderUnusable extends FilesUnavailable {
  override name = 'FolderUnusable'
}

const unusable = (problem: FolderProblem) => new FolderUnusable(`folder_${problem}`)
