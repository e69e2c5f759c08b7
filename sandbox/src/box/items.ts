import { header, jsonOf, requiredString } from './call.ts'
import type { Call, Reply } from './call.ts'
import { badRequest, notFound } from './errors.ts'
import { folderFull, present, USER, versionFull } from './present.ts'

const DEFAULT_PAGE_SIZE = 100
const MAX_PAGE_SIZE = 1_000

export async function createFolder({ state: { tree }, request }: Call): Promise<Reply> {
  const body = await jsonOf(request)
  const folder = tree.addFolder(requiredString(body, 'name'), requiredString(body, 'parent.id'))
  return { status: 201, json: folderFull(folder, tree) }
}

export function getFolder({ state: { tree }, params, query }: Call): Reply {
  const folder = tree.folder(params[0]!)
  return { json: present(folder, tree, query.get('fields'), 'full') }
}

export function getMe({ state: { space } }: Call): Reply {
  return { json: { ...USER, space_amount: space.amount, space_used: space.used } }
}

export function listItems({ state: { tree }, params, query }: Call): Reply {
  const items = tree.itemsOf(params[0]!)
  const byMarker = query.get('usemarker') === 'true'
  const limit = wholeNumber(query.get('limit'), DEFAULT_PAGE_SIZE)
  const offset = wholeNumber(query.get(byMarker ? 'marker' : 'offset'), 0)
  const end = offset + Math.min(limit, MAX_PAGE_SIZE)
  const entries = items
    .slice(offset, end)
    .map((item) => present(item, tree, query.get('fields'), 'mini'))
  const position = byMarker
    ? { next_marker: end < items.length ? String(end) : null }
    : { total_count: items.length, offset }
  return { json: { ...position, limit: Math.min(limit, MAX_PAGE_SIZE), entries } }
}

export function getFile({ state: { tree }, params, query }: Call): Reply {
  return { json: present(tree.file(params[0]!), tree, query.get('fields'), 'full') }
}

export function download({ state: { tree }, params, query }: Call): Reply {
  const file = tree.file(params[0]!)
  const requested = query.get('version') ?? file.current.id
  const version = [file.current, ...file.past].find(({ id }) => id === requested)
  if (version === undefined) throw notFound()
  return { headers: { 'content-type': 'application/octet-stream' }, file: version.blob }
}

/** The earlier versions: Box does not list the current one. */
export function listVersions({ state: { tree }, params, query }: Call): Reply {
  const file = tree.file(params[0]!)
  const limit = wholeNumber(query.get('limit'), MAX_PAGE_SIZE)
  const offset = wholeNumber(query.get('offset'), 0)
  const entries = file.past
    .slice(offset, offset + limit)
    .map((version) => versionFull(version, file))
  return { json: { total_count: file.past.length, offset, limit, entries } }
}

export async function deleteFile(call: Call): Promise<Reply> {
  const { state, params } = call
  await state.blobs.delete(...state.tree.removeFile(params[0]!, header(call, 'if-match')))
  return { status: 204 }
}

function wholeNumber(value: string | null, fallback: number): number {
  if (value === null || value === '') return fallback
  if (!/^\d{1,9}$/.test(value)) throw badRequest('Expected a whole number')
  return Number(value)
}
