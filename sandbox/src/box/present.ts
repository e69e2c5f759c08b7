import { commaList } from '../comma-list.ts'
import type { Folder, Item, StoredFile, Version } from './stored-item.ts'

/** Finds the folders that lead to an item. */
interface Folders {
  folder(id: string): Folder
}

// The sandbox does not distinguish the service account from the provider's staff.
export const USER = { type: 'user', id: '17738362', name: 'Sandbox', login: 'sandbox@box.example' }

// Box's timestamps have seconds and an offset, without milliseconds.
const time = (date: Date) => `${date.toISOString().slice(0, 19)}+00:00`

export function fileMini(file: StoredFile) {
  return {
    type: 'file',
    id: file.id,
    file_version: {
      type: 'file_version',
      id: file.current.id,
      sha1: file.current.blob.sha1,
    },
    sequence_id: String(file.etag),
    etag: String(file.etag),
    sha1: file.current.blob.sha1,
    name: file.name,
  }
}

export function folderMini(folder: Folder) {
  const etag = folder.parentId === undefined ? null : '0'
  return {
    type: 'folder',
    id: folder.id,
    sequence_id: etag,
    etag,
    name: folder.name,
  }
}

export function fileFull(file: StoredFile, folders: Folders) {
  const folder = folders.folder(file.folderId)
  return {
    ...fileMini(file),
    description: '',
    size: file.current.blob.size,
    path_collection: pathTo(folder, folders),
    created_at: time(file.createdAt),
    modified_at: time(file.current.createdAt),
    trashed_at: null,
    purged_at: null,
    content_created_at: time(file.createdAt),
    content_modified_at: time(file.current.createdAt),
    created_by: USER,
    modified_by: USER,
    owned_by: USER,
    shared_link: null,
    parent: folderMini(folder),
    item_status: 'active',
  }
}

export function folderFull(folder: Folder, folders: Folders) {
  const parent = folder.parentId === undefined ? undefined : folders.folder(folder.parentId)
  return {
    ...folderMini(folder),
    description: '',
    created_at: time(folder.createdAt),
    modified_at: time(folder.createdAt),
    path_collection: parent ? pathTo(parent, folders) : { total_count: 0, entries: [] },
    created_by: USER,
    modified_by: USER,
    owned_by: USER,
    parent: parent ? folderMini(parent) : null,
    item_status: 'active',
  }
}

export function versionFull(version: Version, file: StoredFile) {
  return {
    type: 'file_version',
    id: version.id,
    sha1: version.blob.sha1,
    name: file.name,
    size: version.blob.size,
    created_at: time(version.createdAt),
    modified_at: time(version.createdAt),
    modified_by: USER,
    trashed_at: null,
    purged_at: null,
  }
}

/** With `fields`, Box returns these and type, id and etag; without `fields`, the form that is the default. */
export function present(
  item: Item,
  folders: Folders,
  fields: string | null,
  defaultForm: 'mini' | 'full',
) {
  const mini = item.type === 'file' ? fileMini(item) : folderMini(item)
  if (fields === null && defaultForm === 'mini') return mini
  const full = item.type === 'file' ? fileFull(item, folders) : folderFull(item, folders)
  if (fields === null) return full
  const extra = item.type === 'file' ? { version_number: String(item.past.length + 1) } : {}
  const requested = new Set(['type', 'id', 'etag', ...commaList(fields)])
  return Object.fromEntries(
    Object.entries({ ...full, ...extra }).filter(([field]) => requested.has(field)),
  )
}

function pathTo(folder: Folder, folders: Folders) {
  const entries = [folderMini(folder)]
  for (let at = folder; at.parentId !== undefined;) {
    at = folders.folder(at.parentId)
    entries.unshift(folderMini(at))
  }
  return { total_count: entries.length, entries }
}
