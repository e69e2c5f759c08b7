import type { Folder, Item, StoredFile, Tree, Version } from './tree.ts'

// Everything here was done by the one service account, or by staff in the web application.
const USER = { type: 'user', id: '17738362', name: 'Sandbox', login: 'sandbox@box.example' }

// Box's times carry seconds and an offset, never milliseconds.
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
  const unchanging = folder.parentId === undefined ? null : '0'
  return {
    type: 'folder',
    id: folder.id,
    sequence_id: unchanging,
    etag: unchanging,
    name: folder.name,
  }
}

export function fileFull(file: StoredFile, tree: Tree) {
  const folder = tree.folder(file.folderId)
  return {
    ...fileMini(file),
    description: '',
    size: file.current.blob.size,
    path_collection: pathTo(folder, tree),
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

export function folderFull(folder: Folder, tree: Tree) {
  const parent = folder.parentId === undefined ? undefined : tree.folder(folder.parentId)
  return {
    ...folderMini(folder),
    description: '',
    created_at: time(folder.createdAt),
    modified_at: time(folder.createdAt),
    path_collection: parent ? pathTo(parent, tree) : { total_count: 0, entries: [] },
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

/** Box answers what `fields` names, besides what every item has; without it, its usual choice. */
export function present(item: Item, tree: Tree, fields: string | null, usual: 'mini' | 'full') {
  const mini = item.type === 'file' ? fileMini(item) : folderMini(item)
  if (fields === null && usual === 'mini') return mini
  const full = item.type === 'file' ? fileFull(item, tree) : folderFull(item, tree)
  if (fields === null) return full
  const extra = item.type === 'file' ? { version_number: String(item.past.length + 1) } : {}
  const wanted = new Set(['type', 'id', 'etag', ...fields.split(',')])
  return Object.fromEntries(
    Object.entries({ ...full, ...extra }).filter(([field]) => wanted.has(field)),
  )
}

function pathTo(folder: Folder, tree: Tree) {
  const entries = [folderMini(folder)]
  for (let at = folder; at.parentId !== undefined;) {
    at = tree.folder(at.parentId)
    entries.unshift(folderMini(at))
  }
  return { total_count: entries.length, entries }
}
