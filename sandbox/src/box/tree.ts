import type { StoredBlob } from './blobs.ts'
import { BoxError, nameInUse, notFound, etagMismatch } from './errors.ts'
import { fileMini, folderMini } from './present.ts'
import type { Folder, Item, StoredFile, Version } from './stored-item.ts'

export const ROOT = '0'
const MAX_NAME_LENGTH = 255

/** Folders and files. Each change is synchronous, so two requests cannot both take a name. */
export class Tree {
  readonly #folders = new Map<string, Folder>()
  readonly #files = new Map<string, StoredFile>()
  readonly #trashed = new Set<string>()
  /** The items of each folder by name; Box ignores the case of names. */
  readonly #items = new Map<string, Map<string, Item>>()
  // A later run must not reuse the ids of an earlier one.
  #lastId = Date.now()

  constructor() {
    this.clear()
  }

  get folders(): Folder[] {
    return [...this.#folders.values()]
  }

  get files(): StoredFile[] {
    return [...this.#files.values()]
  }

  folder(id: string): Folder {
    return this.#folders.get(id) ?? throwNotFound()
  }

  file(id: string): StoredFile {
    if (this.#trashed.has(id)) throw new BoxError(404, 'trashed', 'Item is trashed')
    return this.#files.get(id) ?? throwNotFound()
  }

  /** Folders first, then files, each by name. */
  itemsOf(folderId: string): Item[] {
    return [...this.#itemsIn(folderId).values()].toSorted(
      (a, b) => b.type.localeCompare(a.type) || a.name.localeCompare(b.name),
    )
  }

  itemNamed(folderId: string, name: string): Item | undefined {
    return this.#itemsIn(folderId).get(name.toLowerCase())
  }

  addFolder(name: string, parentId: string): Folder {
    this.#checkName(name)
    const taken = this.itemNamed(parentId, name)
    if (taken) throw nameInUse([taken.type === 'file' ? fileMini(taken) : folderMini(taken)])
    const folder: Folder = {
      type: 'folder',
      id: this.#newId(),
      name,
      parentId,
      createdAt: new Date(),
    }
    this.#folders.set(folder.id, folder)
    this.#items.set(folder.id, new Map())
    this.#itemsIn(parentId).set(name.toLowerCase(), folder)
    return folder
  }

  /** Throws if the name is invalid or in use. */
  checkNameIsFree(folderId: string, name: string): void {
    this.#checkName(name)
    const taken = this.itemNamed(folderId, name)
    if (taken) throw nameInUse(taken.type === 'file' ? fileMini(taken) : folderMini(taken))
  }

  addFile(name: string, folderId: string, blob: StoredBlob): StoredFile {
    this.checkNameIsFree(folderId, name)
    const current = this.#version(blob)
    const { createdAt } = current
    const id = this.#newId()
    const file: StoredFile = {
      type: 'file',
      id,
      name,
      folderId,
      createdAt,
      etag: 0,
      current,
      past: [],
    }
    this.#files.set(file.id, file)
    this.#itemsIn(folderId).set(name.toLowerCase(), file)
    return file
  }

  checkEtag(file: StoredFile, ifMatch: string | undefined): void {
    if (ifMatch !== undefined && ifMatch !== String(file.etag)) throw etagMismatch()
  }

  addVersion(id: string, blob: StoredBlob, ifMatch: string | undefined, name?: string): StoredFile {
    const file = this.file(id)
    this.checkEtag(file, ifMatch)
    if (name !== undefined && name !== file.name) this.#rename(file, name)
    file.past.unshift(file.current)
    file.current = this.#version(blob)
    file.etag += 1
    return file
  }

  moveFile(id: string, folderId: string): StoredFile {
    const file = this.file(id)
    this.checkNameIsFree(folderId, file.name)
    this.#itemsIn(file.folderId).delete(file.name.toLowerCase())
    this.#itemsIn(folderId).set(file.name.toLowerCase(), file)
    file.folderId = folderId
    file.etag += 1
    return file
  }

  /** Returns the blobs of all versions, which the caller can delete. */
  removeFile(id: string, ifMatch?: string): StoredBlob[] {
    const file = this.file(id)
    this.checkEtag(file, ifMatch)
    this.#files.delete(id)
    this.#trashed.add(id)
    this.#itemsIn(file.folderId).delete(file.name.toLowerCase())
    return [file.current, ...file.past].map(({ blob }) => blob)
  }

  clear(): StoredBlob[] {
    const blobs = this.files.flatMap(({ current, past }) => [current, ...past])
    for (const map of [this.#folders, this.#files, this.#items, this.#trashed]) map.clear()
    const createdAt = new Date()
    this.#folders.set(ROOT, {
      type: 'folder',
      id: ROOT,
      name: 'All Files',
      parentId: undefined,
      createdAt,
    })
    this.#items.set(ROOT, new Map())
    return blobs.map(({ blob }) => blob)
  }

  #rename(file: StoredFile, name: string): void {
    if (name.toLowerCase() !== file.name.toLowerCase()) this.checkNameIsFree(file.folderId, name)
    this.#itemsIn(file.folderId).delete(file.name.toLowerCase())
    this.#itemsIn(file.folderId).set(name.toLowerCase(), file)
    file.name = name
  }

  #itemsIn(folderId: string): Map<string, Item> {
    return this.#items.get(folderId) ?? throwNotFound()
  }

  #version(blob: StoredBlob): Version {
    return { id: this.#newId(), blob, createdAt: new Date() }
  }

  #newId(): string {
    this.#lastId += 1
    return String(this.#lastId)
  }

  #checkName(name: string): void {
    if (name.length > MAX_NAME_LENGTH) {
      throw new BoxError(400, 'item_name_too_long', 'Item name too long')
    }
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    if (name === '' || name !== name.trim() || /^\.\.?$|[/\\\u0000-\u001f]/.test(name)) {
      throw new BoxError(400, 'item_name_invalid', 'Item name invalid')
    }
  }
}

function throwNotFound(): never {
  throw notFound()
}
