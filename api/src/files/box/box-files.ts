import type { Readable } from 'node:stream'
import { BOX_ID } from '@guidon/contract/box-id'
import { FilesRefused, FilesUnavailable } from '../port.ts'
import type { Content, Download, Files, Folder, IsOwn } from '../port.ts'
import { lengthOf, ofLength } from './body.ts'
import { connect } from './connect.ts'
import type { BoxOptions } from './connect.ts'
import { sendParts } from './parts.ts'
import { BoxResponseError, NAME_IN_USE, translated } from './response-error.ts'

/** Box accepts uploads in parts only from this size on. */
const MULTIPART_MIN_BYTES = 20_000_000
const VERSION_TRIES = 3
const ITEMS_PER_PAGE = 1_000
/** The folder that contains everything. */
const ALL_FILES = '0'
/** Names of the folders that the veterans' folders are spread over. */
const GROUP = /^[0-9a-f]{2}$/

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
    withToken(() => files.getFileById(id, { queryParams: { fields: ['sha1'] } }))

  /** The etag changes when somebody moves the file, too. */
  async function readOwnFile(id: string, isOwn: IsOwn) {
    const fields = ['etag', 'sha1', 'file_version', 'path_collection']
    const file = await withToken(() => files.getFileById(id, { queryParams: { fields } }))
    if (!(await isOwn(ofVeterans(file.pathCollection?.entries ?? []))))
      throw new FilesRefused('misplaced')
    return file
  }

  const readFolder = (id: string) =>
    withToken(() =>
      folders.getFolderById(id, { queryParams: { fields: ['name', 'path_collection'] } }),
    )

  /** Without the root, the folders that contain it, and the groups in it. */
  function ofVeterans(path: readonly { id: string; name?: string }[]): string[] {
    const below = path.slice(path.findIndex(({ id }) => id === rootFolderId) + 1)
    const isInRoot = below.length < path.length
    const isInGroup = isInRoot && GROUP.test(below[0]?.name ?? '')
    return below
      .slice(isInGroup ? 1 : 0)
      .map(({ id }) => id)
      .filter((id) => id !== ALL_FILES)
  }

  async function openFolder(id: string): Promise<Folder> {
    const folder = await readFolder(id)
    const above = folder.pathCollection?.entries ?? []
    const root = rootFolderId === ALL_FILES ? undefined : await readFolder(rootFolderId)
    const containsRoot = root?.pathCollection?.entries.some((entry) => entry.id === id) ?? false
    return {
      name: folder.name ?? '',
      parentName: above.at(-1)?.name ?? null,
      path: containsRoot ? [] : withItself(id, ofVeterans([...above, folder])),
    }
  }

  async function createFolder(name: string, parentId: string): Promise<string> {
    try {
      return (await withToken(() => folders.createFolder({ name, parent: { id: parentId } }))).id
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

  async function replace(id: string, content: Content, isOwn: IsOwn): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const { etag, sha1 } = await readOwnFile(id, isOwn)
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

  /** Of the version that was read: the file may be moved meanwhile and get the bytes of somebody else. */
  async function download(id: string, isOwn: IsOwn, signal?: AbortSignal): Promise<Download> {
    const { fileVersion } = await readOwnFile(id, isOwn)
    const request = {
      queryParams: { version: fileVersion?.id ?? lost() },
      ...(signal && { cancellationToken: signal }),
    }
    const bytes = (await withToken(() => client.downloads.downloadFile(id, request))) as Readable
    return { bytes, size: lengthOf(bytes) }
  }

  async function freeBytes(): Promise<number | undefined> {
    await withToken(() => folders.getFolderById(rootFolderId, { queryParams: { fields: ['id'] } }))
    const fields = ['space_amount', 'space_used']
    const { spaceAmount = -1, spaceUsed = 0 } = await withToken(() => users.getUserMe({ fields }))
    return spaceAmount < 0 ? undefined : Math.max(0, spaceAmount - spaceUsed)
  }

  return {
    folder: (name, group) =>
      translateErrors(
        createFolder(group, rootFolderId).then((parentId) => createFolder(name, parentId)),
      ),
    openFolder: (folderId) => withId(folderId, () => openFolder(folderId)),
    upload: (folderId, content) => withId(folderId, () => upload(folderId, content)),
    replace: (fileId, content, isOwn) => withId(fileId, () => replace(fileId, content, isOwn)),
    find: async (fileId, isOwn) => void (await withId(fileId, () => readOwnFile(fileId, isOwn))),
    download: (fileId, isOwn, signal) => withId(fileId, () => download(fileId, isOwn, signal)),
    freeBytes: () => translateErrors(freeBytes()),
    close,
  }
}

const withItself = (id: string, path: string[]) => (path.at(-1) === id ? path : [])

/** Ids come from text fields of the CRM, too. Anything but digits could name another resource in the path of a request. */
async function withId<Result>(id: string, call: () => Promise<Result>): Promise<Result> {
  if (!BOX_ID.test(id)) throw new FilesRefused('not_found')
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
