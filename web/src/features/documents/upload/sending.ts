import type { CallFailure } from '../../../api/call-failure.ts'
import { TIMED_OUT } from '../../../api/send.ts'

/**
 * Why an upload waits: there is no connection, the server cannot take the file at the moment, or it has the whole file
 * and takes long to check it.
 */
type Wait = 'connection' | 'server' | 'check'

export const WAIT_TEXTS: Record<Wait, string> = {
  connection: 'Connection lost. We continue as soon as it is back.',
  server: 'We cannot take the file right now. We keep trying.',
  check: 'Checking takes longer than usual. You need not do anything.',
}

const REQUEST_TIMEOUT = 408

export function waitOf({ status, code }: CallFailure, sentFraction: number): Wait {
  if (sentFraction >= 1 && code === TIMED_OUT) return 'check'
  return status === 0 || status === REQUEST_TIMEOUT ? 'connection' : 'server'
}

export interface SendProgress {
  /** From 0 to 1; at 1 the server checks the file. */
  sentFraction: number
  wait: Wait | undefined
}

export interface FileToSend {
  file: File
  /**
   * `documentId`: the requested document that the file is for. `replaces`: the `boxFileId` of the document that gets a
   * new version.
   */
  target: ({ documentType: string; documentId?: string } | { replaces: string }) & { note?: string }
  /** An upload of this file that was not finished. */
  unfinishedId: string | undefined
  /** Receives the id of the upload, if the file is sent in parts. */
  onId?: (id: string) => void
  onProgress: (sent: SendProgress) => void
  signal: AbortSignal
}
