import { controlClient } from '../control-client.ts'
import type { ControlBody } from '../control-client.ts'
import type { Fault } from './faults.ts'
import type { LoggedRequest, Stats } from './state.ts'

interface SandboxVersion {
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
  /** Newest first, including the current one. */
  versions: SandboxVersion[]
}

interface SandboxFolder {
  id: string
  name: string
  parentId?: string
}

/** Controls the Box sandbox over HTTP: injects faults, and adds and deletes files as staff do in Box. */
export class BoxSandboxClient {
  readonly url: string
  readonly #request: ReturnType<typeof controlClient>

  constructor(url: string) {
    this.url = url
    this.#request = controlClient(url)
  }

  async fault(fault: Fault): Promise<void> {
    await this.#request('PUT', '/faults', JSON.stringify(fault))
  }

  /** Sets the bytes that the account may store, and those that it stores. Uploads are not refused. */
  async setSpace(amount: number, used: number): Promise<void> {
    await this.#request('PUT', '/space', JSON.stringify({ amount, used }))
  }

  async reset(): Promise<void> {
    await this.#request('POST', '/reset')
  }

  async stats(): Promise<Stats & { hanging: number }> {
    return this.#request('GET', '/stats')
  }

  /** The newest calls of Box's API, the oldest first. */
  async requests(): Promise<LoggedRequest[]> {
    return (await this.#request<{ requests: LoggedRequest[] }>('GET', '/requests')).requests
  }

  /** Waits until a fault leaves a call without a response. */
  async waitForHeldCall(): Promise<void> {
    const { hanging } = await this.#request<{ hanging: number }>('GET', '/hanging?wait=20000')
    if (hanging < 1) throw new Error('no call was held')
  }

  async folders(): Promise<SandboxFolder[]> {
    return (await this.#request<{ folders: SandboxFolder[] }>('GET', '/folders')).folders
  }

  async addFolder(name: string, parentId = '0'): Promise<SandboxFolder> {
    return this.#request('POST', '/folders', JSON.stringify({ name, parentId }))
  }

  async files(folderId?: string): Promise<SandboxFile[]> {
    const query = folderId === undefined ? '' : `?folder=${encodeURIComponent(folderId)}`
    return (await this.#request<{ files: SandboxFile[] }>('GET', `/files${query}`)).files
  }

  /** Adds a version if the name exists, as Box's web app does. */
  async addFile(folderId: string, name: string, body: ControlBody): Promise<SandboxFile> {
    const path = `/folders/${folderId}/files?name=${encodeURIComponent(name)}`
    return this.#request('POST', path, body)
  }

  async moveFile(id: string, folderId: string): Promise<void> {
    await this.#request('PUT', `/files/${id}/folder`, JSON.stringify({ folderId }))
  }

  async deleteFile(id: string): Promise<void> {
    await this.#request('DELETE', `/files/${id}`)
  }

  async bytes(fileId: string): Promise<Buffer> {
    const response = await fetch(`${this.url}/files/${fileId}/content`)
    if (!response.ok) throw new Error(await response.text())
    return Buffer.from(await response.arrayBuffer())
  }
}
