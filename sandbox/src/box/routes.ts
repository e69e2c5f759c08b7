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

function route(kind: string, line: string, handle: Handler): Route {
  const [method, path] = line.split(' ') as [string, string]
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '([^/]+)')}$`)
  return { kind, handle, method, path: pattern, isUpload: UPLOADS.has(kind) }
}

// A path under /api belongs to the upload host: an upload without this prefix gets 404.
const ROUTES = [
  route('folder.create', 'POST /2.0/folders', items.createFolder),
  route('folder.get', 'GET /2.0/folders/*', items.getFolder),
  route('folder.items', 'GET /2.0/folders/*/items', items.listItems),
  route('upload.preflight', 'OPTIONS /2.0/files/content', uploads.preflight),
  route('user.me', 'GET /2.0/users/me', items.getMe),
  route('file.get', 'GET /2.0/files/*', items.getFile),
  route('file.delete', 'DELETE /2.0/files/*', items.deleteFile),
  route('file.download', 'GET /2.0/files/*/content', items.download),
  route('file.versions', 'GET /2.0/files/*/versions', items.listVersions),
  route('upload.file', 'POST /api/2.0/files/content', uploads.uploadFile),
  route('upload.version', 'POST /api/2.0/files/*/content', uploads.uploadVersion),
  route('session.create', 'POST /api/2.0/files/upload_sessions', sessions.createSession),
  route('session.create', 'POST /api/2.0/files/*/upload_sessions', sessions.createVersionSession),
  route('session.get', 'GET /api/2.0/files/upload_sessions/*', sessions.getSession),
  route('session.part', 'PUT /api/2.0/files/upload_sessions/*', sessions.putPart),
  route('session.abort', 'DELETE /api/2.0/files/upload_sessions/*', sessions.abortSession),
  route('session.parts', 'GET /api/2.0/files/upload_sessions/*/parts', sessions.listParts),
  route('session.commit', 'POST /api/2.0/files/upload_sessions/*/commit', sessions.commitSession),
]

export function isBoxPath(path: string): boolean {
  return path === TOKEN_PATH || /^(\/api)?\/2\.0\//.test(path)
}

type UnroutedCall = Omit<Call, 'params'>

export function kindOf(method: string | undefined, path: string): string {
  if (path === TOKEN_PATH) return 'token'
  return find(method, path)?.kind ?? 'unknown'
}

/** Handles a call as Box does, without faults. */
export async function handleBoxCall(call: UnroutedCall, path: string): Promise<Reply> {
  const { state, request } = call
  if (path === TOKEN_PATH) return grantToken(call)
  const found = find(request.method, path)
  const user = state.tokens.userOf(request.headers.authorization)
  state.checkRate(user, found?.isUpload ?? false)
  if (found === undefined) throw notFound()
  return found.handle({ ...call, params: found.path.exec(path)!.slice(1) })
}

function find(method: string | undefined, path: string): Route | undefined {
  return ROUTES.find((candidate) => candidate.method === method && candidate.path.test(path))
}

async function grantToken({ state, request }: UnroutedCall): Promise<Reply> {
  try {
    return { json: state.tokens.grant(new URLSearchParams(await text(bodyOf(request)))) }
  } catch (error) {
    if (error instanceof TokenError) return { status: 400, json: error.body }
    throw error
  }
}
