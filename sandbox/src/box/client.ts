import type { Fault } from './faults.ts'
import type { Stats } from './house.ts'

export interface SandboxVersion {
  id: string
  createdAt: string
  size: number
  sha1: string
  sha256: string
}

export interface SandboxFile {
  id: string
  name: string
  folderId: string
  etag: string
  size: number
  sha1: string
  sha256: string
  /** Newest first, the current one included. */
  versions: SandboxVersion[]
}

export interface SandboxFolder {
  id: string
  name: string
  parentId?: string
}

type Body = NonNullable<RequestInit['body']>

/** Gives the sandbox its orders over HTTP, and plays the provider's staff. */
export class BoxSandboxClient {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  async fault(fault: Fault): Promise<void> {
    await this.#ask('PUT', '/faults', JSON.stringify(fault))
  }

  async reset(): Promise<void> {
    await this.#ask('POST', '/reset')
  }

  async stats(): Promise<Stats & { hanging: number }> {
    return (await this.#ask('GET', '/stats')) as Stats & { hanging: number }
  }

  /** Settles once a call is under way and held. */
  async holding(): Promise<void> {
    const { hanging } = (await this.#ask('GET', '/hanging?wait=20000')) as { hanging: number }
    if (hanging < 1) throw new Error('no call was held')
  }

  async folders(): Promise<SandboxFolder[]> {
    return ((await this.#ask('GET', '/folders')) as { folders: SandboxFolder[] }).folders
  }

  async addFolder(name: string, parentId = '0'): Promise<SandboxFolder> {
    const body = JSON.stringify({ name, parentId })
    return (await this.#ask('POST', '/folders', body)) as SandboxFolder
  }

  async files(folderId?: string): Promise<SandboxFile[]> {
    const query = folderId === undefined ? '' : `?folder=${encodeURIComponent(folderId)}`
    return ((await this.#ask('GET', `/files${query}`)) as { files: SandboxFile[] }).files
  }

  /** A name that is there gets a new version, as in the web application. */
  async addFile(folderId: string, name: string, body: Body): Promise<SandboxFile> {
    const path = `/folders/${folderId}/files?name=${encodeURIComponent(name)}`
    return (await this.#ask('POST', path, body)) as SandboxFile
  }

  async deleteFile(id: string): Promise<void> {
    await this.#ask('DELETE', `/files/${id}`)
  }

  async bytes(fileId: string): Promise<Buffer> {
    const answer = await fetch(`${this.url}/files/${fileId}/content`)
    if (!answer.ok) throw new Error(await answer.text())
    return Buffer.from(await answer.arrayBuffer())
  }

  async #ask(method: string, path: string, body?: Body): Promise<unknown> {
    const answer = await fetch(this.url + path, { method, ...(body !== undefined && { body }) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return text === '' ? undefined : JSON.parse(text)
  }
}
