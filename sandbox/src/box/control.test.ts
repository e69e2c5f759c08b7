import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBox } from './box.ts'
import type { Box } from './box.ts'
import { BoxSandboxClient } from './client.ts'
import { filesOnDisk, refusal, sdkFor, sha1, uploadOf } from './sdk.ts'

const HOSTILE = `<img src=x onerror=alert(1)>"'&.pdf`

let box: Box
let sandbox: BoxSandboxClient

beforeEach(async () => {
  box = await startBox()
  sandbox = new BoxSandboxClient(box.url)
})
afterEach(() => box.close())

const show = async (path: string) => (await fetch(box.url + path)).text()

describe('the control client', () => {
  it('adds, replaces and deletes files as the provider’s staff do, and the API returns the result', async () => {
    const folder = await sandbox.addFolder('James Whitfield')
    const file = await sandbox.addFile(folder.id, 'Rating decision.pdf', 'one')
    const sdk = sdkFor(box)
    expect(await sdk.files.getFileById(file.id)).toMatchObject({ sha1: sha1('one'), etag: '0' })
    await sandbox.addFile(folder.id, 'Rating decision.pdf', 'second')
    expect(await sdk.files.getFileById(file.id)).toMatchObject({ sha1: sha1('second'), etag: '1' })
    expect(await sandbox.files(folder.id)).toMatchObject([
      { id: file.id, versions: [{ sha1: sha1('second'), size: 6 }, { sha1: sha1('one') }] },
    ])
    expect(await sandbox.stats()).toMatchObject({ uploads: 0, versions: 0 })
    await sandbox.deleteFile(file.id)
    expect((await refusal(sdk.files.getFileById(file.id))).statusCode).toBe(404)
    expect(await sandbox.files(folder.id)).toEqual([])
    expect(await sandbox.folders()).toMatchObject([{ id: '0' }, { name: 'James Whitfield' }])
  })

  it('throws with the reason when an action is refused', async () => {
    await expect(sandbox.addFile('17', 'a.pdf', 'one')).rejects.toThrow('not_found')
    await expect(sandbox.addFile('0', 'a/b', 'one')).rejects.toThrow('item_name_invalid')
    await expect(sandbox.deleteFile('17')).rejects.toThrow('not_found')
    expect(await filesOnDisk(box)).toBe(0)
  })

  it('resets files, bytes, counts, faults and tokens', async () => {
    const sdk = sdkFor(box)
    await sdk.uploads.uploadFile(uploadOf('a.pdf', 'bytes'))
    await sandbox.fault({ mode: 'down' })
    await sandbox.reset()
    expect(await sandbox.files()).toEqual([])
    expect(await filesOnDisk(box)).toBe(0)
    expect(await sandbox.stats()).toEqual({
      calls: {},
      uploads: 0,
      versions: 0,
      rateLimited: 0,
      faulted: 0,
      abandoned: 0,
      hanging: 0,
    })
    await sdk.folders.getFolderById('0')
    expect((await sandbox.stats()).calls).toEqual({ token: 1, 'folder.get': 2 })
  })
})

describe('the page', () => {
  it('names the sandbox and has its style sheet', async () => {
    const page = await show('/')
    expect(page).toContain('Sandbox Box — development and tests only')
    const [, path] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? []
    const response = await fetch(`${box.url}${path}`)
    expect(response.headers.get('content-type')).toContain('text/css')
    expect((await fetch(`${box.url}/nothing`)).status).toBe(404)
  })

  it('shows folders and files with size, SHA-1 and versions', async () => {
    const { id } = await sandbox.addFolder('James Whitfield')
    await sandbox.addFile(id, 'a.pdf', 'x'.repeat(1_234))
    await sandbox.addFile(id, 'a.pdf', 'y'.repeat(12_345))
    expect(await show('/')).toContain(`<a href="/folders/${id}">James Whitfield</a>`)
    const page = await show(`/folders/${id}`)
    for (const part of ['a.pdf', '12,345', sha1('y'.repeat(12_345)), '<td>2</td>']) {
      expect(page).toContain(part)
    }
  })

  it('escapes hostile names', async () => {
    // A name cannot contain a slash, so there is no closing tag.
    await sandbox.addFile('0', HOSTILE, 'bytes')
    await sandbox.addFolder(`<b>${HOSTILE}`)
    const page = await show('/')
    expect(page).not.toContain('<img')
    expect(page).not.toContain('<b>')
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;.pdf')
    const { headers } = await fetch(box.url)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it('receives a file from its form, and serves it only as a download', async () => {
    const form = new FormData()
    form.append('file', new Blob(['<script>']), HOSTILE)
    const post = (headers = {}) =>
      fetch(`${box.url}/folders/0/form`, {
        method: 'POST',
        body: form,
        redirect: 'manual',
        headers,
      })
    const response = await post()
    expect([response.status, response.headers.get('location')]).toEqual([303, '/folders/0'])
    const [file] = await sandbox.files()
    expect(file).toMatchObject({ name: HOSTILE, sha1: sha1('<script>') })
    const { headers } = await fetch(`${box.url}/files/${file!.id}/content`)
    expect(headers.get('content-disposition')).toBe('attachment')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect((await post({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })
})
