import type { IncomingMessage, ServerResponse } from 'node:http'
import { waitSignal } from '../long-poll.ts'
import { PAGE_POLICY, STYLESHEET_TYPE, stylesheet } from '../sandbox-page.ts'
import type { Bytes } from './blobs.ts'
import { bodyOf, jsonOf, requiredString } from './call.ts'
import type { Reply } from './call.ts'
import { BoxError, badRequest } from './errors.ts'
import { FAULT_HELP, readBoxFault } from './faults.ts'
import type { Faults } from './faults.ts'
import { download } from './items.ts'
import { partsOf } from './multipart.ts'
import { folderPage, notFoundPage } from './pages.ts'
import type { BoxState } from './state.ts'
import type { StoredFile, Version } from './stored-item.ts'
import { ROOT } from './tree.ts'

const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

interface ControlRequest {
  state: BoxState
  faults: Faults
  request: IncomingMessage
  response: ServerResponse
}

/** The page for developers, and the addresses where tests act as the staff who use these folders. */
export async function handleControl(control: ControlRequest): Promise<Reply> {
  try {
    // A form of another site must not change anything here.
    if (control.request.headers['sec-fetch-site'] === 'cross-site') return { status: 403 }
    const reply = await route(control)
    return { ...reply, headers: { ...PAGE_HEADERS, ...reply.headers } }
  } catch (error) {
    if (!(error instanceof BoxError)) throw error
    return { status: error.status, json: error.body }
  }
}

async function route({ state, faults, request, response }: ControlRequest): Promise<Reply> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://box')
  const [, noun = '', id = '', part = ''] = pathname.split('/')
  switch (`${request.method} /${noun}${id && '/*'}${part && `/${part}`}`) {
    case 'GET /':
      return page(folderPage(state.tree, ROOT))
    case 'GET /sandbox.css':
      return { headers: { 'content-type': STYLESHEET_TYPE }, text: stylesheet() }
    case 'GET /faults':
      return { json: faults.current }
    case 'PUT /faults': {
      const fault = readBoxFault(await jsonOf(request).catch(() => undefined))
      if (fault === undefined) return { status: 422, json: { message: FAULT_HELP } }
      faults.set(fault)
      return { json: faults.current }
    }
    case 'PUT /space': {
      const { amount, used } = await jsonOf(request)
      state.space = { amount: Number(amount), used: Number(used) }
      return { status: 204 }
    }
    case 'GET /hanging':
      return { json: { hanging: await faults.waitForHeldCalls(waitSignal(query, response)) } }
    case 'GET /stats':
      return { json: { ...state.stats, hanging: faults.heldCount } }
    case 'GET /requests':
      return { json: { requests: state.requests } }
    case 'POST /reset':
      faults.set({ mode: 'none' })
      await state.reset()
      return { status: 204 }
    case 'GET /folders':
      return { json: { folders: state.tree.folders } }
    case 'POST /folders': {
      const body = await jsonOf(request)
      const parentId = typeof body['parentId'] === 'string' ? body['parentId'] : ROOT
      return { status: 201, json: state.tree.addFolder(requiredString(body, 'name'), parentId) }
    }
    case 'GET /folders/*':
      return page(folderPage(state.tree, state.tree.folder(id).id))
    case 'POST /folders/*/files': {
      const name = query.get('name')
      if (name === null) throw badRequest('Missing ?name=…')
      return { status: 201, json: listed(await addOrReplace(state, id, name, bodyOf(request))) }
    }
    case 'POST /folders/*/form':
      await putForm(state, id, request)
      return { status: 303, headers: { location: `/folders/${id}` } }
    case 'GET /files': {
      const folder = query.get('folder')
      const files = state.tree.files.filter((file) => folder === null || file.folderId === folder)
      return { json: { files: files.map(listed) } }
    }
    case 'GET /files/*':
      return { json: listed(state.tree.file(id)) }
    case 'PUT /files/*/folder': {
      const body = await jsonOf(request)
      return { json: listed(state.tree.moveFile(id, requiredString(body, 'folderId'))) }
    }
    case 'DELETE /files/*':
      await state.blobs.delete(...state.tree.removeFile(id))
      return { status: 204 }
    case 'GET /files/*/content':
      return asAttachment(download({ state, request, query, params: [id], uploadUrl: '' }))
    default:
      return { ...page(notFoundPage()), status: 404 }
  }
}

/** Adds a version if the name exists, as Box's web app does. */
async function addOrReplace(state: BoxState, folderId: string, name: string, bytes: Bytes) {
  const { tree, blobs } = state
  tree.folder(folderId)
  const blob = await blobs.write(bytes)
  try {
    const existing = tree.itemNamed(folderId, name)
    return existing?.type === 'file'
      ? tree.addVersion(existing.id, blob, undefined)
      : tree.addFile(name, folderId, blob)
  } catch (error) {
    await blobs.delete(blob)
    throw error
  }
}

async function putForm(state: BoxState, folderId: string, request: IncomingMessage): Promise<void> {
  for await (const part of partsOf(bodyOf(request), request.headers['content-type'])) {
    if (part.name === 'file' && part.filename) {
      await addOrReplace(state, folderId, part.filename, part.body)
    }
  }
}

function listed(file: StoredFile) {
  const { id, name, folderId, etag, current, past } = file
  const hashes = ({ id: versionId, createdAt, blob: { size, sha1, sha256 } }: Version) => ({
    id: versionId,
    createdAt,
    size,
    sha1,
    sha256,
  })
  const { size, sha1, sha256 } = current.blob
  const versions = [current, ...past].map(hashes)
  return { id, name, folderId, etag: String(etag), size, sha1, sha256, versions }
}

function page(text: string): Reply {
  return { headers: { 'content-type': 'text/html; charset=utf-8' }, text }
}

// A browser must not open an uploaded file as a page of this origin.
function asAttachment(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, 'content-disposition': 'attachment' } }
}
