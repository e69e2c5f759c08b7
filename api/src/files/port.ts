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

export interface Files {
  /** Finds or creates the folder of that name, and returns its id. */
  folder(name: string): Promise<string>
  /** Returns the file's id; idempotent for the same name and bytes. */
  upload(folderId: string, content: Content): Promise<string>
  /** Adds a version, unless the newest one has the same bytes. */
  replace(fileId: string, content: Content): Promise<void>
  /** Throws `FilesRefused` with the code `not_found` if there is no such file. */
  find(fileId: string): Promise<void>
  /** Streams the newest version. The signal also ends a transfer that waits for the store. */
  download(fileId: string, signal?: AbortSignal): Promise<Download>
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
