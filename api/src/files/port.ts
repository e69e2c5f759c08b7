import type { Readable } from 'node:stream'

/** The provider's file store. Names and errors of the vendor stay inside the adapter. */

export interface Content {
  /** The name that the veteran sees. */
  name: string
  size: number
  sha1: string
  /** Streams the bytes from the start; called again for each try. */
  open(): Readable
}

export interface Download {
  bytes: Readable
  /** Undefined if the store did not say. */
  size: number | undefined
}

/**
 * Whether a file is the account's, by the ids of the folders that contain it, from the top. Left out are those that contain
 * the folders of all veterans.
 */
export type IsOwn = (folderIds: readonly string[]) => Promise<boolean>

export interface Folder {
  name: string
  /** The name of the folder that contains it. */
  parentName: string | null
  /** Its id and those of the folders that contain it, as for `IsOwn`. Empty if it contains the folders of all veterans. */
  path: readonly string[]
}

export interface Files {
  /** Finds or creates the folder of that name, and returns its id. Groups keep the number of items in a folder small. */
  folder(name: string, group: string): Promise<string>
  /** Throws `FilesRefused` with the code `not_found` if there is no such folder. */
  openFolder(folderId: string): Promise<Folder>
  /** Returns the file's id; idempotent for the same name and bytes. */
  upload(folderId: string, content: Content): Promise<string>
  // The calls below throw `FilesRefused`: `not_found` if there is no such file, `misplaced` if it is not the account's.
  /** Adds a version, unless the newest one has the same bytes. */
  replace(fileId: string, content: Content, isOwn: IsOwn): Promise<void>
  find(fileId: string, isOwn: IsOwn): Promise<void>
  /** Streams the newest version. The signal also ends a transfer that waits for the store. */
  download(fileId: string, isOwn: IsOwn, signal?: AbortSignal): Promise<Download>
  /**
   * How many bytes can still be stored; undefined if there is no limit. Throws `FilesRefused` with the code
   * `not_found` if the folder for all veterans is missing.
   */
  freeBytes(): Promise<number | undefined>
  close(): Promise<void>
}

export interface FileStoreMetrics {
  /** `outcome` is the status of the response, `none` without a response, `own_pace` if the call was not made. */
  ended(outcome: string): void
  /** How long a call waited for our own rate limit. */
  waited(seconds: number): void
}

/** No response, or a temporary failure: retry. */
export class FilesUnavailable extends Error {
  override name = 'FilesUnavailable'
  readonly code: string
  readonly retryAfterSeconds: number | undefined
  constructor(code: string, retryAfterSeconds?: number, options?: ErrorOptions) {
    super(`The file store is not available (${code})`, options)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A permanent refusal: do not retry. */
export class FilesRefused extends Error {
  override name = 'FilesRefused'
  /** `name_taken`: a file of that name has other bytes. */
  readonly code: string
  constructor(code: string, options?: ErrorOptions) {
    super(`The file store refused (${code})`, options)
    this.code = code
  }
}
