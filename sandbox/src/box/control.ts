import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { waitOf } from '../waiting.ts'
import type { Bytes } from './blobs.ts'
import { bodyOf, jsonOf, required } from './call.ts'
import type { Reply } from './call.ts'
import { BoxError, badRequest } from './errors.ts'
import { FAULT_HELP, readFault } from './faults.ts'
import type { Faults } from './faults.ts'
import type { House } from './house.ts'
import { download } from './items.ts'
import { partsOf } from './multipart.ts'
import { folderPage, notFoundPage } from './pages.ts'
import { ROOT } from './tree.ts'
import type { StoredFile, Version } from './tree.ts'

const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

interface Asked {
  house: House
  faults: Faults
  request: IncomingMessage
  response: ServerResponse
}

/** The page, and the addresses by which tests play the provider's staff. */
export async function answerControl(asked: Asked): Promise<Reply> {
  try {
    // Another site's form must not be able to write here.
    if (asked.request.headers['sec-fetch-site'] === 'cross-site') return { status: 403 }
    const reply = await route(asked)
    return { ...reply, headers: { ...PAGE_HEADERS, ...reply.headers } }
  } catch (error) {
    if (!(error instanceof BoxError)) throw error
    return { status: error.status, json: error.body }
  }
}

async function route({ house, faults, request, response }: Asked): Promise<Reply> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://box')
  const [, noun = '', id = '', part = ''] = pathname.split('/')
  switch (`${request.method} /${noun}${id && '/*'}${part && `/${part}`}`) {
    case 'GET /':
      return page(folderPage(house.tree, ROOT))
    case 'GET /box.css':
      return {
        headers: { 'content-type': 'text/css; charset=utf-8' },
        text: readFileSync(`${import.meta.dirname}/page/box.css`, 'utf8'),
      }
    case 'GET /faults':
      return { json: faults.current }
    case 'PUT /faults': {
      const fault = readFault(await jsonOf(request).catch(() => undefined))
      if (fault === undefined) return { status: 422, json: { message: FAULT_HELP } }
      faults.set(fault)
      return { json: faults.current }
    }
    case 'GET /hanging':
      return { json: { hanging: await faults.waitForHold(waitOf(query, response)) } }
    case 'GET /stats':
      return { json: { ...house.stats, hanging: faults.hanging } }
    case 'POST /reset':
      faults.set({ mode: 'none' })
      await house.reset()
      return { status: 204 }
    case 'GET /folders':
      return { json: { folders: house.tree.folders } }
    case 'POST /folders': {
      const body = await jsonOf(request)
      const parentId = typeof body['parentId'] === 'string' ? body['parentId'] : ROOT
      return { status: 201, json: house.tree.addFolder(required(body, 'name'), parentId) }
    }
    case 'GET /folders/*':
      return page(folderPage(house.tree, house.tree.folder(id).id))
    case 'POST /folders/*/files': {
      const name = query.get('name')
      if (name === null) throw badRequest('Say the name: ?name=…')
      return { status: 201, json: listed(await put(house, id, name, bodyOf(request))) }
    }
    case 'POST /folders/*/form':
      await putForm(house, id, request)
      return { status: 303, headers: { location: `/folders/${id}` } }
    case 'GET /files': {
      const folder = query.get('folder')
      const files = house.tree.files.filter((file) => (folder ?? file.folderId) === file.folderId)
      return { json: { files: files.map(listed) } }
    }
    case 'GET /files/*':
      return { json: listed(house.tree.file(id)) }
    case 'DELETE /files/*':
      await house.blobs.drop(...house.tree.removeFile(id))
      return { status: 204 }
    case 'GET /files/*/content':
      return saved(download({ house, request, query, params: [id], uploadUrl: '' }))
    default:
      return { ...page(notFoundPage()), status: 404 }
  }
}

/** As the web application does it: a name that is there gets a new version. */
async function put(house: House, folderId: string, name: string, bytes: Bytes) {
  const { tree, blobs } = house
  tree.folder(folderId)
  const blob = await blobs.keep(bytes)
  try {
    const there = tree.named(folderId, name)
    return there?.type === 'file'
      ? tree.addVersion(there.id, blob, undefined)
      : tree.addFile(name, folderId, blob)
  } catch (error) {
    await blobs.drop(blob)
    throw error
  }
}

async function putForm(house: House, folderId: string, request: IncomingMessage): Promise<void> {
  for await (const part of partsOf(bodyOf(request), request.headers['content-type'])) {
    if (part.name === 'file' && part.filename) {
      await put(house, folderId, part.filename, part.body)
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

// What somebody uploaded must not act as a page of this address.
function saved(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, 'content-disposition': 'attachment' } }
}
