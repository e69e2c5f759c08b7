import { text } from 'node:stream/consumers'
import { bodyOf } from './call.ts'
import type { Call, Handler, Reply } from './call.ts'
import { notFound } from './errors.ts'
import * as items from './items.ts'
import { TokenError } from './tokens.ts'
import * as sessions from './upload-sessions.ts'
import * as uploads from './uploads.ts'

/** Box has a separate host for uploads; here that host is a path prefix. */
export const UPLOAD_PREFIX = '/api'
const TOKEN_PATH = '/oauth2/token'

interface Route {
  kind: string
  handle: Handler
  method: string
  path: RegExp
  /** Counts against the limit of uploads, too. */
  isUpload: boolean
}

const UPLOADS = new Set(['upload.file', 'upload.version', 'session.create'])

function on(kind: string, line: string, handle: Handler): Route {
  const [method, path] = line.split(' ') as [string, string]
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '([^/]+)')}$`)
  return { kind, handle, method, path: pattern, isUpload: UPLOADS.has(kind) }
}

// A path under /api belongs to the upload host: an upload to the other host is not found.
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

export function isApiPath(path: string): boolean {
  return path === TOKEN_PATH || /^(\/api)?\/2\.0\//.test(path)
}

type UnroutedCall = Omit<Call, 'params'>

export function kindOf(method: string | undefined, path: string): string {
  if (path === TOKEN_PATH) return 'token'
  return find(method, path)?.kind ?? 'unknown'
}

/** Handles a call as Box does, without faults. */
export async function handleApiCall(call: UnroutedCall, path: string): Promise<Reply> {
  const { state, request } = call
  if (path === TOKEN_PATH) return grantToken(call)
  const found = find(request.method, path)
  const user = state.tokens.userOf(request.headers.authorization)
  state.checkRate(user, found?.isUpload ?? false)
  if (found === undefined) throw notFound()
  return found.handle({ ...call, params: found.path.exec(path)!.slice(1) })
}

function find(method: string | undefined, path: string): Route | undefined {
  return ROUTES.find((route) => route.method === method && route.path.test(path))
}

async function grantToken({ state, request }: UnroutedCall): Promise<Reply> {
  try {
    return { json: state.tokens.grant(new URLSearchParams(await text(bodyOf(request)))) }
  } catch (error) {
    if (error instanceof TokenError) return { status: 400, json: error.body }
    throw error
  }
}
