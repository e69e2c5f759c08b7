/** Why an upload waits: there is no connection, or the server cannot take the file at the moment. */
type Wait = 'connection' | 'server'

export const WAIT_TEXTS: Record<Wait, string> = {
  connection: 'Connection lost. We continue as soon as it is back.',
  server: 'We cannot take the file right now. We keep trying.',
}

export interface Sent {
  /** From 0 to 1; at 1 the server checks the file. */
  sentFraction: number
  wait: Wait | undefined
}

export interface FileToSend {
  file: File
  /** `replaces`: the id for a new version. */
  target: ({ documentType: string; documentId?: string } | { replaces: string }) & { note?: string }
  /** An upload of this file that was not finished. */
  unfinishedId: string | undefined
  onProgress: (sent: Sent) => void
  signal: AbortSignal
}
