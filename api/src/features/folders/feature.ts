import { getFolder, previewFolder } from '@guidon/contract/folders'
import type { Database } from '../../db/database.ts'
import { DAY_HOURS, deleteExpired } from '../../db/retention.ts'
import {
  folderProblemCounts,
  folderState,
  storageProblems,
} from '../../files/folders/folders.sql.ts'
import type { StorageProblem } from '../../files/folders/folders.sql.ts'
import { bind } from '../../http/bind.ts'
import { requireManageable } from '../../http/require-manageable.ts'
import { gaugeSource } from '../../platform/gauge.ts'
import { isUuid } from '../../platform/uuid.ts'
import { feature } from '../feature.ts'
import { askWorker } from './ask-worker.ts'
import { openFolder, openFolderWork } from './open-folder.ts'

interface Services {
  folders: { problems(): Promise<StorageProblem[]> }
}

/** Which folder in the file store is whose, and which files are not where they should be. */
export const folders = feature<Services>({
  name: 'folders',
  tables: {
    box_folders: {
      export: 'not exported: names of folders, which may be those of somebody else',
      erase: 'cascade',
      retention: {
        hours: 7 * DAY_HOURS,
        delete: deleteExpired('box_folders', {
          key: ['user_id', 'folder_id'],
          expiry: 'coalesce(opened_at, asked_at)',
        }),
      },
    },
    misplaced_files: {
      export: 'not exported: ids of files that are not those of the account',
      erase: 'cascade',
      // Found again when somebody opens the file.
      retention: {
        hours: 7 * DAY_HOURS,
        delete: deleteExpired('misplaced_files', {
          key: ['user_id', 'file_id'],
          expiry: 'found_at',
        }),
      },
    },
  },
  jobs: [openFolder],
  serve: (app, { db, jobs }) => {
    const stateOf = async (actor: Parameters<typeof requireManageable>[0], id: string) =>
      requireManageable(actor, isUuid(id) ? await folderState(db, id) : undefined)
    const { ask } = askWorker(db, jobs)
    bind(app, getFolder, ({ user, params }) => stateOf(user, params.id))
    bind(app, previewFolder, async ({ user, params, query }) => {
      await stateOf(user, params.id)
      return ask(params.id, query.boxFolderId)
    })
  },
  work: (parts) => [openFolderWork(parts)],
  gauges: ({ db }) => [folderGauges(db)],
  admin: ({ db }) => ({ folders: { problems: () => storageProblems(db) } }),
  commands: {
    'files problems': {
      usage: '[--json]',
      help: 'lists the accounts whose Box folder cannot be used, and the documents whose file cannot be opened',
      run: async ({ folders: { problems } }, { options, print, table }) => {
        const found = await problems()
        if (options['json']) print(JSON.stringify(found))
        else table(found)
      },
    },
  },
})

const folderGauges = (db: Database) =>
  gaugeSource({
    sourceName: 'folders',
    gauges: {
      guidon_folders_unusable: 'Accounts whose folder in the file store cannot be used',
      guidon_files_misplaced:
        'Files of documents that were found outside of the folder of their account',
      guidon_file_ids_unusable: 'Documents in the CRM whose file id is no id of the file store',
    },
    read: async () => {
      const { folders: unusable, misplaced, noIds } = await folderProblemCounts(db)
      return {
        guidon_folders_unusable: unusable,
        guidon_files_misplaced: misplaced,
        guidon_file_ids_unusable: noIds,
      }
    },
  })
