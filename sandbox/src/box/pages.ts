import { html } from '../html.ts'
import type { Html } from '../html.ts'
import { sandboxPage } from '../sandbox-page.ts'
import type { Folder, StoredFile } from './stored-item.ts'
import type { Tree } from './tree.ts'

const LABEL = 'Sandbox Box — development and tests only'
const MAX_SHOWN = 500

export function folderPage(tree: Tree, id: string): string {
  const folder = tree.folder(id)
  const items = tree.itemsOf(id)
  const shown = items.slice(0, MAX_SHOWN)
  const folders = shown.filter((item) => item.type === 'folder')
  const files = shown.filter((item) => item.type === 'file')
  const count = items.length === 1 ? '1 item' : `${items.length} items`
  return page(
    folder.name,
    html`${folder.parentId === undefined ? html`` : parentLink(tree.folder(folder.parentId))}
      <p role="status">${items.length > shown.length ? `The first of ${count}` : count}</p>
      ${folders.length === 0 ? html`` : folderList(folders)}
      ${files.length === 0 ? html`` : fileTable(files)} ${form(folder)}`,
  )
}

export function notFoundPage(): string {
  return page('Not found', html`<p>There is no such page. <a href="/">All files</a></p>`)
}

function parentLink(parent: Folder): Html {
  return html`<p><a href="/folders/${parent.id}">Up to ${parent.name}</a></p>`
}

function folderList(folders: Folder[]): Html {
  return html`<h2>Folders</h2>
    <ul>
      ${folders.map(({ id, name }) => html`<li><a href="/folders/${id}">${name}</a></li>`)}
    </ul>`
}

function fileTable(files: StoredFile[]): Html {
  return html`<h2>Files</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Size in bytes</th>
          <th scope="col">SHA-1</th>
          <th scope="col">Versions</th>
        </tr>
      </thead>
      <tbody>
        ${files.map(fileRow)}
      </tbody>
    </table>`
}

function fileRow(file: StoredFile): Html {
  const { id, name, current, past } = file
  return html`<tr>
    <td><a href="/files/${id}/content" download="${name}">${name}</a></td>
    <td>${current.blob.size.toLocaleString('en-US')}</td>
    <td><code>${current.blob.sha1}</code></td>
    <td>${String(past.length + 1)}</td>
  </tr>`
}

function form({ id }: Folder): Html {
  return html`<h2>Add a file</h2>
    <form method="post" action="/folders/${id}/form" enctype="multipart/form-data">
      <label for="file">File</label>
      <input id="file" name="file" type="file" required />
      <button>Upload</button>
    </form>
    <p>If a file with this name exists, it gets a new version.</p>`
}

const page = (title: string, body: Html) => sandboxPage({ label: LABEL, title, body })
