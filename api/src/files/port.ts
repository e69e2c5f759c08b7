import type { Readable } from 'node:stream'

/** Where the provider keeps files, in our words. No vendor's name or error passes this line. */

export interface Content {
  /** As the veteran sees it. */
  name: string
  size: number
  sha1: string
  /** The bytes from the start; asked again for each try. */
  open(): Readable
}

export interface Files {
  /** The folder of that name, made if it is not there yet. Answers its id. */
  folder(name: string): Promise<string>
  /** The same bytes under the same name, there already, are this file. Answers its id. */
  upload(folderId: string, content: Content): Promise<string>
  /** A new version; nothing happens where the newest one has these bytes. */
  replace(fileId: string, content: Content): Promise<void>
  /** The bytes of the newest version. */
  download(fileId: string): Promise<Readable>
  close(): Promise<void>
}

/** Told of calls to the store; knows nothing of what they were about. */
export interface FileStoreMetrics {
  /** By the status of the answer; `none` without one, `own_pace` where the call was not made. */
  ended(outcome: string): void
  /** For its turn, so that the store's limits are kept. */
  waited(seconds: number): void
}

/** It did not answer, or not now: worth another try. */
export class FilesUnavailable extends Error {
  override name = 'FilesUnavailable'
  readonly code: string
  /** How long it asked us to wait. */
  readonly retryAfterSeconds: number | undefined
  constructor(code: string, retryAfterSeconds?: number, options?: ErrorOptions) {
    super(`The file store is not available (${code})`, options)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** It understood and said no; the same again would get the same answer. */
export class FilesRefused extends Error {
  override name = 'FilesRefused'
  /** `name_taken` where another file of that name has other bytes. */
  readonly code: string
  constructor(code: string, options?: ErrorOptions) {
    super(`The file store refused (${code})`, options)
    this.code = code
  }
}
