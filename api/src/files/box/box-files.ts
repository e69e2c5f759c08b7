import type { Readable } from 'node:stream'
import { FilesRefused, FilesUnavailable } from '../port.ts'
import type { Content, Download, Files } from '../port.ts'
import { lengthOf, ofLength } from './body.ts'
import { connect } from './connect.ts'
import type { BoxOptions } from './connect.ts'
import { sendParts } from './parts.ts'
import { BoxResponseError, NAME_IN_USE, translated } from './response-error.ts'

/** Box accepts uploads in parts only from this size on. */
const MULTIPART_MIN_BYTES = 20_000_000
const VERSION_TRIES = 3
const ITEMS_PER_PAGE = 1_000

export interface BoxFilesOptions extends BoxOptions {
  rootFolderId: string
  /** Files of this many bytes and above are uploaded in parts. */
  inPartsFrom?: number
}

export function boxFiles(options: BoxFilesOptions): Files {
  const { rootFolderId, log, inPartsFrom = MULTIPART_MIN_BYTES } = options
  const { client, withToken, close } = connect(options)
  const { folders, files, uploads, chunkedUploads, users } = client

  const readFile = (id: string) =>
    withToken(() => files.getFileById(id, { queryParams: { fields: ['etag', 'sha1'] } }))

  async function createFolder(name: string): Promise<string> {
    try {
      return (await withToken(() => folders.createFolder({ name, parent: { id: rootFolderId } })))
        .id
    } catch (error) {
      const { conflict } = nameInUse(error)
      if (conflict?.type === 'folder') return conflict.id
      throw error
    }
  }

  async function upload(folderId: string, content: Content): Promise<string> {
    try {
      const id = await (content.size < inPartsFrom ? uploadWhole : inParts)(folderId, content)
      return id ?? (await findInFolder(folderId, content)) ?? lost()
    } catch (error) {
      const { conflict } = nameInUse(error)
      if (conflict?.type === 'folder') throw error
      // An earlier try may have stored the file although its response was lost.
      const sha1 = conflict?.sha1 ?? (conflict && (await readFile(conflict.id)).sha1)
      if (conflict && sha1 === content.sha1) return conflict.id
      const id = conflict ? undefined : await findInFolder(folderId, content)
      if (id === undefined) throw error
      return id
    }
  }

  async function uploadWhole(folderId: string, content: Content): Promise<string | undefined> {
    const attributes = { name: content.name, parent: { id: folderId } }
    // Box expects a SHA-1 in this header, despite its name.
    const headers = { contentMd5: content.sha1 }
    const stored = await withToken(() =>
      uploads.uploadFile({ attributes, file: bytesOf(content) }, { headers }),
    )
    return stored.entries?.[0]?.id
  }

  async function inParts(folderId: string, content: Content): Promise<string | undefined> {
    const { name: fileName, size: fileSize } = content
    const session = await withToken(() =>
      chunkedUploads.createFileUploadSession({ fileName, fileSize, folderId }),
    )
    return (await sendParts(withToken, chunkedUploads, session, content))?.entries?.[0]?.id
  }

  async function findInFolder(
    folderId: string,
    { name, sha1 }: Content,
  ): Promise<string | undefined> {
    const wanted = name.toLowerCase()
    let marker: string | undefined
    do {
      const queryParams = {
        fields: ['name', 'sha1'],
        usemarker: true,
        limit: ITEMS_PER_PAGE,
        ...(marker !== undefined && { marker }),
      }
      const page = await withToken(() => folders.getFolderItems(folderId, { queryParams }))
      const file = page.entries?.find(
        (item) => item.type === 'file' && item.name?.toLowerCase() === wanted && item.sha1 === sha1,
      )
      if (file) return file.id
      marker = page.nextMarker ?? undefined
    } while (marker !== undefined && marker !== '')
    return undefined
  }

  async function replace(id: string, content: Content): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const { etag, sha1 } = await readFile(id)
      if (sha1 === content.sha1) return
      try {
        if (await addVersion(id, content, etag!)) return
        if ((await readFile(id)).sha1 !== content.sha1) lost()
        return
      } catch (error) {
        const wasChanged = error instanceof BoxResponseError && error.status === 412
        if (!wasChanged || tries === VERSION_TRIES) throw error
        log.warn({ attempt: tries }, 'box: file changed meanwhile')
      }
    }
  }

  /** Returns false if Box did not confirm the new version. */
  async function addVersion(id: string, content: Content, ifMatch: string): Promise<boolean> {
    const { name, size: fileSize, sha1: contentMd5 } = content
    if (content.size >= inPartsFrom) {
      const session = await withToken(() =>
        chunkedUploads.createFileUploadSessionForExistingFile(id, { fileName: name, fileSize }),
      )
      return (await sendParts(withToken, chunkedUploads, session, content, ifMatch)) !== undefined
    }
    const body = () => ({ attributes: { name }, file: bytesOf(content) })
    await withToken(() =>
      uploads.uploadFileVersion(id, body(), { headers: { ifMatch, contentMd5 } }),
    )
    return true
  }

  async function download(id: string, signal?: AbortSignal): Promise<Download> {
    const cancellation = signal ? { cancellationToken: signal } : {}
    const bytes = (await withToken(() =>
      client.downloads.downloadFile(id, cancellation),
    )) as Readable
    return { bytes, size: lengthOf(bytes) }
  }

  async function freeBytes(): Promise<number | undefined> {
    await withToken(() => folders.getFolderById(rootFolderId, { queryParams: { fields: ['id'] } }))
    const fields = ['space_amount', 'space_used']
    const { spaceAmount = -1, spaceUsed = 0 } = await withToken(() => users.getUserMe({ fields }))
    return spaceAmount < 0 ? undefined : Math.max(0, spaceAmount - spaceUsed)
  }

  return {
    folder: (name) => translateErrors(createFolder(name)),
    upload: (folderId, content) => withId(folderId, () => upload(folderId, content)),
    replace: (fileId, content) => withId(fileId, () => replace(fileId, content)),
    find: async (fileId) => void (await withId(fileId, () => readFile(fileId))),
    download: (fileId, signal) => withId(fileId, () => download(fileId, signal)),
    freeBytes: () => translateErrors(freeBytes()),
    close,
  }
}

/** Ids come from text fields of the CRM, too. Anything but digits could name another resource in the path of a request. */
const ID = /^\d{1,20}$/

async function withId<Result>(id: string, call: () => Promise<Result>): Promise<Result> {
  if (!ID.test(id)) throw new FilesRefused('not_found')
  return translateErrors(call())
}

const bytesOf = (content: Content) => ofLength(content.open(), content.size)

function nameInUse(error: unknown): BoxResponseError {
  if (error instanceof BoxResponseError && error.code === NAME_IN_USE) return error
  throw error
}

function lost(): never {
  throw new FilesUnavailable('lost')
}

async function translateErrors<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } catch (error) {
    throw translated(error)
  }
}
