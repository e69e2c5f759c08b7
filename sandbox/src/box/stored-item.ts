import type { StoredBlob } from './blobs.ts'

export interface Folder {
  type: 'folder'
  id: string
  name: string
  parentId: string | undefined
  createdAt: Date
}

export interface Version {
  id: string
  blob: StoredBlob
  createdAt: Date
}

export interface StoredFile {
  type: 'file'
  id: string
  name: string
  folderId: string
  createdAt: Date
  /** Increases with each change. */
  etag: number
  current: Version
  /** Newest first. */
  past: Version[]
}

export type Item = Folder | StoredFile
