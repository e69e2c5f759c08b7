import { Readable, addAbortSignal } from 'node:stream'
import type { Role } from '@guidon/contract/account'
import { DOCUMENT_MAX_BYTES } from '@guidon/contract/document-refusals'
import { notFound } from '@guidon/contract/refusal'
import {
  fileGone,
  filesUnavailable,
  VIEW_MEGABYTES_AN_HOUR,
  viewQuotaReached,
  VIEWS_A_MINUTE,
} from '@guidon/contract/viewing'
import { recordEvent } from '../../../db/audit-events.ts'
import type { Database } from '../../../db/database.ts'
import { secondsToWait, take } from '../../../db/limits.ts'
import type { Window } from '../../../db/limits.ts'
import { accountFolders } from '../../../files/folders/folders.ts'
import { FilesRefused, FilesUnavailable } from '../../../files/port.ts'
import { refuse } from '../../../http/refuse.ts'
import type { Log } from '../../../platform/log.ts'
import type { Tokens } from '../../../platform/tokens.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { Calls, ServerParts } from '../../feature.ts'
import { contentHeaders } from './content-headers.ts'
import { findCurrentFile, findOwner } from './current-file.sql.ts'
import { openFile } from './open-file.ts'
import type { FileSources, OpenedFile } from './open-file.ts'
import { transfers } from './transfers.ts'
import type { Transfer } from './transfers.ts'

const VIEW_LIMIT = { name: 'view', max: VIEWS_A_MINUTE, seconds: 60 }
const MEGABYTE_LIMIT = { name: 'view megabytes', max: VIEW_MEGABYTES_AN_HOUR, seconds: 3_600 }
const BYTES_PER_MEGABYTE = 1024 * 1024
/** Also for a file of somebody else, so that nobody learns whether it exists. */
const GONE = new Set(['not_found', 'misplaced'])
/** Small enough to measure how fast a slow client reads. */
const SLICE_BYTES = 64 * 1024

interface Viewer {
  id: string
  role: Role
}

export interface View {
  /** The document's id, ours or the CRM's. */
  id: string
  /** `check` only tests whether the file can be opened. */
  as: 'view' | 'download' | 'check'
  /** Aborts when the client is gone. */
  closed: AbortSignal
}

export interface Content {
  headers: Record<string, string>
  bytes: Readable
}

export interface Viewing {
  /** Both return undefined if a `check` succeeds. */
  own(viewer: Viewer, view: View): Promise<Content | undefined>
  /** For staff. Each view is recorded in the audit log before its first byte. */
  ofVeteran(viewer: Viewer, ownerId: string, view: View): Promise<Content | undefined>
}

export interface ViewingParts extends NonNullable<ServerParts['viewing']> {
  db: Database
  log: Log
  tokens: Pick<Tokens, 'hash'>
  readUpload: Calls['readUpload']
}

export function viewing(parts: ViewingParts): Viewing {
  const { db, tokens, files } = parts
  const { withOwn } = accountFolders(parts)
  const startTransfer = transfers()

  async function countOrRefuse(window: Omit<Window, 'key'> & { name: string }, viewerId: string) {
    const limit = { ...window, key: tokens.hash('limit', `${window.name}\0${viewerId}`) }
    if (await take(db, limit)) return
    const wait = await secondsToWait(db, [limit])
    throw refuse(viewQuotaReached(wait), { retryAfterSeconds: wait })
  }

  const download: FileSources['download'] = (ownerId, fileId, signal) =>
    withOwn(ownerId, fileId, (isOwn) => files.download(fileId, isOwn, signal))

  async function content(by: 'owner' | 'staff', viewer: Viewer, ownerId: string, view: View) {
    const { id, as, closed } = view
    const file = await findCurrentFile(db, ownerId, id)
    if (!file) throw refuse(notFound)
    await countOrRefuse(VIEW_LIMIT, viewer.id)
    if (as === 'check') {
      const { upload, boxFileId } = file
      if (!upload) await withOwn(ownerId, boxFileId!, (isOwn) => files.find(boxFileId!, isOwn))
      return undefined
    }
    const transfer = startTransfer(viewer.id, closed)
    try {
      const opened = await openFile({ ...parts, download }, { ownerId, id, file }, transfer.signal)
      const { kind, size } = opened
      const megabytes = Math.ceil((size ?? DOCUMENT_MAX_BYTES) / BYTES_PER_MEGABYTE)
      await countOrRefuse({ ...MEGABYTE_LIMIT, amount: megabytes }, viewer.id)
      if (by === 'staff') {
        const about = { actorId: viewer.id, subjectId: ownerId, details: { document: id, as } }
        await recordEvent(db, { event: 'document_viewed', ...about })
      }
      parts.count(by)
      const headers = contentHeaders({ name: file.name, kind, size, as })
      return { headers, bytes: streamOf(opened, transfer) }
    } catch (error) {
      transfer.end()
      throw error
    }
  }

  const withRefusals = async (work: Promise<Content | undefined>) => {
    try {
      return await work
    } catch (error) {
      if (error instanceof FilesRefused && GONE.has(error.code)) throw refuse(fileGone)
      if (error instanceof FilesUnavailable) throw refuse(filesUnavailable)
      throw error
    }
  }

  return {
    own: (viewer, view) => withRefusals(content('owner', viewer, viewer.id, view)),
    ofVeteran: async (viewer, ownerId, view) => {
      const owner = isUuid(ownerId) ? await findOwner(db, ownerId) : undefined
      // As in the list of documents, only administrators learn whether an account of staff exists.
      if (!owner || (owner.role !== 'USER' && viewer.role !== 'ADMIN')) throw refuse(notFound)
      return withRefusals(content('staff', viewer, owner.id, view))
    },
  }
}

/** Ends the transfer when the stream closes, and the stream when the transfer ends. */
function streamOf({ bytes, size }: OpenedFile, transfer: Transfer): Readable {
  async function* slices() {
    let sent = 0
    for await (const chunk of bytes) {
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
        const slice = chunk.subarray(at, at + SLICE_BYTES)
        sent += slice.length
        // More bytes than announced would be read as the next response of the connection.
        if (sent > (size ?? Infinity)) throw new Error('viewing: the file is longer than announced')
        yield slice
        transfer.add(slice.length)
      }
    }
    if (sent < (size ?? 0)) throw new Error('viewing: the file is shorter than announced')
  }
  const stream = Readable.from(slices(), { objectMode: false })
  stream.once('close', transfer.end)
  // If the client is gone before the response starts, nothing else handles the error.
  stream.on('error', () => {})
  return addAbortSignal(transfer.signal, stream)
}
