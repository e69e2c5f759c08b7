import { randomUUID } from 'node:crypto'
import type { StoredBlob } from './blobs.ts'
import { bodyOf, header, jsonOf, requiredString } from './call.ts'
import type { Call, Reply } from './call.ts'
import { BoxError, badDigest, badRequest, notFound } from './errors.ts'
import type { BoxState, SentPart, UploadSession } from './state.ts'
import { presentUpload } from './uploads.ts'

const SESSION_LIFETIME_MS = 7 * 24 * 3_600_000

export async function createSession(call: Call): Promise<Reply> {
  const body = await jsonOf(call.request)
  const [folderId, name] = [requiredString(body, 'folder_id'), requiredString(body, 'file_name')]
  call.state.tree.checkNameIsFree(folderId, name)
  return openSession(call, body['file_size'], { folderId, name })
}

export async function createVersionSession(call: Call): Promise<Reply> {
  const body = await jsonOf(call.request)
  const fileId = call.state.tree.file(call.params[0]!).id
  const name = typeof body['file_name'] === 'string' ? body['file_name'] : undefined
  return openSession(call, body['file_size'], { fileId, name })
}

function openSession(call: Call, size: unknown, target: UploadSession['target']): Reply {
  const { limits, sessions } = call.state
  if (!Number.isSafeInteger(size)) throw badRequest('Missing file_size')
  if ((size as number) < limits.minSessionBytes) {
    throw badRequest(`File size less than minimum allowed for this API: ${limits.minSessionBytes}`)
  }
  const session: UploadSession = {
    id: randomUUID().replaceAll('-', '').toUpperCase(),
    size: size as number,
    partSize: limits.partSize,
    expiresAt: new Date(Date.now() + SESSION_LIFETIME_MS),
    parts: new Map(),
    target,
  }
  sessions.set(session.id, session)
  return { status: 201, json: presentSession(session, call.uploadUrl) }
}

export function getSession(call: Call): Reply {
  return { json: presentSession(sessionOf(call), call.uploadUrl) }
}

export async function putPart(call: Call): Promise<Reply> {
  const session = sessionOf(call)
  const { first, size } = rangeOf(header(call, 'content-range'), session)
  const blob = await call.state.blobs.write(bodyOf(call.request))
  try {
    if (blob.size !== size) throw badRequest('The length of the body differs from content-range')
    if (header(call, 'digest') !== digestOf(blob)) throw badDigest()
    const earlierPart = session.parts.get(first)
    // After a lost response, a client sends the same part again.
    if (earlierPart && earlierPart.blob.sha1 !== blob.sha1) throw overlap()
    // The session may have been closed while the bytes arrived.
    sessionOf(call)
    const id = earlierPart?.id ?? randomUUID().slice(0, 8).toUpperCase()
    session.parts.set(first, { id, offset: first, blob })
    if (earlierPart) await call.state.blobs.delete(earlierPart.blob)
    return { json: { part: presentPart({ id, offset: first, blob }) } }
  } catch (error) {
    await call.state.blobs.delete(blob)
    throw error
  }
}

export function listParts(call: Call): Reply {
  const parts = partsInOrder(sessionOf(call)).map(presentPart)
  return { json: { total_count: parts.length, offset: 0, limit: 1_000, entries: parts } }
}

export async function abortSession(call: Call): Promise<Reply> {
  await closeSession(sessionOf(call), call.state)
  return { status: 204 }
}

export async function commitSession(call: Call): Promise<Reply> {
  const session = sessionOf(call)
  const { state } = call
  const { parts: listedParts } = await jsonOf(call.request)
  if (!Array.isArray(listedParts)) throw badRequest('Missing parts')
  const parts = partsInOrder(session)
  const listedIds = new Set(listedParts.map((part: { part_id?: unknown }) => part.part_id))
  const sentBytes = parts.reduce((sum, { blob }) => sum + blob.size, 0)
  if (sentBytes !== session.size || !parts.every(({ id }) => listedIds.has(id))) {
    throw badRequest('The parts do not make up the whole file')
  }
  const wholeFile = await state.blobs.join(parts.map(({ blob }) => blob))
  try {
    if (header(call, 'digest') !== digestOf(wholeFile)) throw badDigest()
    // A concurrent commit may have closed the session.
    sessionOf(call)
    const file = storeFile(session, wholeFile, call)
    await closeSession(session, state)
    return { status: 201, json: presentUpload(file, state.tree) }
  } catch (error) {
    await state.blobs.delete(wholeFile)
    throw error
  }
}

function storeFile({ target }: UploadSession, blob: StoredBlob, call: Call) {
  const { tree, stats } = call.state
  if ('folderId' in target) {
    const file = tree.addFile(target.name, target.folderId, blob)
    stats.uploads += 1
    return file
  }
  const file = tree.addVersion(target.fileId, blob, header(call, 'if-match'), target.name)
  stats.versions += 1
  return file
}

async function closeSession(session: UploadSession, { sessions, blobs }: BoxState): Promise<void> {
  sessions.delete(session.id)
  await blobs.delete(...partsInOrder(session).map(({ blob }) => blob))
}

function sessionOf({ state, params }: Call): UploadSession {
  const session = state.sessions.get(params[0]!)
  if (session === undefined) throw notFound()
  return session
}

function rangeOf(value: string | undefined, { size, partSize }: UploadSession) {
  const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(value ?? '') ?? []
  const [first, last] = [Number(from), Number(to)]
  const expectedLast = Math.min(first + partSize, size) - 1
  if (Number(total) !== size || first % partSize !== 0 || last !== expectedLast) {
    throw new BoxError(
      416,
      'invalid_range',
      'The range does not match the part size of this session',
    )
  }
  return { first, size: last - first + 1 }
}

function partsInOrder({ parts }: UploadSession): SentPart[] {
  return [...parts.values()].toSorted((a, b) => a.offset - b.offset)
}

function digestOf({ sha1 }: StoredBlob): string {
  return `sha=${Buffer.from(sha1, 'hex').toString('base64')}`
}

function presentPart({ id, offset, blob }: SentPart) {
  return { part_id: id, offset, size: blob.size, sha1: blob.sha1 }
}

function presentSession({ id, size, partSize, parts, expiresAt }: UploadSession, base: string) {
  const url = `${base}/2.0/files/upload_sessions/${id}`
  return {
    type: 'upload_session',
    id,
    session_expires_at: expiresAt.toISOString(),
    part_size: partSize,
    total_parts: Math.ceil(size / partSize),
    num_parts_processed: parts.size,
    session_endpoints: {
      list_parts: `${url}/parts`,
      commit: `${url}/commit`,
      upload_part: url,
      status: url,
      abort: url,
      log_event: `${url}/log`,
    },
  }
}

const overlap = () =>
  new BoxError(409, 'range_overlaps_existing_range', 'Other bytes were sent for this range before')
