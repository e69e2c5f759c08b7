import { text } from 'node:stream/consumers'
import { bodyOf } from './call.ts'
import type { Call, Handler, Reply } from './call.ts'
import { notFound } from './errors.ts'
import * as items from './items.ts'
import { TokenRefusal } from './tokens.ts'
import * as sessions from './upload-sessions.ts'
import * as uploads from './uploads.ts'

/** Box takes bytes at another host than it answers questions; here that host is a prefix. */
export const UPLOAD_PREFIX = '/api'
export const TOKEN_PATH = '/oauth2/token'

interface Route {
  kind: string
  handle: Handler
  method: string
  path: RegExp
  /** Counted against the smaller limit. */
  isUpload: boolean
}

const UPLOADS = new Set(['upload.file', 'upload.version', 'session.create'])

function on(kind: string, line: string, handle: Handler): Route {
  const [method, path] = line.split(' ') as [string, string]
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '([^/]+)')}$`)
  return { kind, handle, method, path: pattern, isUpload: UPLOADS.has(kind) }
}

// A path under /api is the upload host’s: bytes sent to the other one find nobody.
const ROUTES = [
  on('folder.create', 'POST /2.0/folders', items.createFolder),
  on('folder.get', 'GET /2.0/folders/*', items.getFolder),
  on('folder.items', 'GET /2.0/folders/*/items', items.listItems),
  on('upload.preflight', 'OPTIONS /2.0/files/content', uploads.preflight),
  on('file.get', 'GET /2.0/files/*', items.getFile),
  on('file.delete', 'DELETE /2.0/files/*', items.deleteFile),
  on('file.download', 'GET /2.0/files/*/content', items.download),
  on('file.versions', 'GET /2.0/files/*/versions', items.listVersions),
  on('upload.file', 'POST /api/2.0/files/content', uploads.uploadFile),
  on('upload.version', 'POST /api/2.0/files/*/content', uploads.uploadVersion),
  on('session.create', 'POST /api/2.0/files/upload_sessions', sessions.createSession),
  on('session.create', 'POST /api/2.0/files/*/upload_sessions', sessions.createVersionSession),
  on('session.get', 'GET /api/2.0/files/upload_sessions/*', sessions.getSession),
  on('session.part', 'PUT /api/2.0/files/upload_sessions/*', sessions.putPart),
  on('session.abort', 'DELETE /api/2.0/files/upload_sessions/*', sessions.abort),
  on('session.parts', 'GET /api/2.0/files/upload_sessions/*/parts', sessions.listParts),
  on('session.commit', 'POST /api/2.0/files/upload_sessions/*/commit', sessions.commit),
]

export function isWire(path: string): boolean {
  return path === TOKEN_PATH || /^(\/api)?\/2\.0\//.test(path)
}

type Unplaced = Omit<Call, 'params'>

export function kindOf(method: string | undefined, path: string): string {
  if (path === TOKEN_PATH) return 'token'
  return find(method, path)?.kind ?? 'unknown'
}

/** Answers a call as Box would, when nothing goes wrong. */
export async function answerWire(call: Unplaced, path: string): Promise<Reply> {
  const { house, request } = call
  if (path === TOKEN_PATH) return grantToken(call)
  const found = find(request.method, path)
  const user = house.tokens.userOf(request.headers.authorization)
  house.admit(user, found?.isUpload ?? false)
  if (found === undefined) throw notFound()
  return found.handle({ ...call, params: found.path.exec(path)!.slice(1) })
}

function find(method: string | undefined, path: string): Route | undefined {
  return ROUTES.find((route) => route.method === method && route.path.test(path))
}

async function grantToken({ house, request }: Unplaced): Promise<Reply> {
  try {
    return { json: house.tokens.grant(new URLSearchParams(await text(bodyOf(request)))) }
  } catch (error) {
    if (error instanceof TokenRefusal) return { status: 400, json: error.body }
    throw error
  }
}
