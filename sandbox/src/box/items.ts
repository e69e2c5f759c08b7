import { header, jsonOf, required } from './call.ts'
import type { Call, Reply } from './call.ts'
import { badRequest, notFound } from './errors.ts'
import { folderFull, present, versionFull } from './present.ts'

const USUAL_PAGE = 100
const LARGEST_PAGE = 1_000

export async function createFolder({ house: { tree }, request }: Call): Promise<Reply> {
  const body = await jsonOf(request)
  const folder = tree.addFolder(required(body, 'name'), required(body, 'parent.id'))
  return { status: 201, json: folderFull(folder, tree) }
}

export function getFolder({ house: { tree }, params, query }: Call): Reply {
  const folder = tree.folder(params[0]!)
  return { json: present(folder, tree, query.get('fields'), 'full') }
}

export function listItems({ house: { tree }, params, query }: Call): Reply {
  const items = tree.itemsOf(params[0]!)
  const byMarker = query.get('usemarker') === 'true'
  const limit = wholeNumber(query.get('limit'), USUAL_PAGE)
  const offset = wholeNumber(query.get(byMarker ? 'marker' : 'offset'), 0)
  const end = offset + Math.min(limit, LARGEST_PAGE)
  const entries = items
    .slice(offset, end)
    .map((item) => present(item, tree, query.get('fields'), 'mini'))
  const place = byMarker
    ? { next_marker: end < items.length ? String(end) : null }
    : { total_count: items.length, offset }
  return { json: { ...place, limit: Math.min(limit, LARGEST_PAGE), entries } }
}

export function getFile({ house: { tree }, params, query }: Call): Reply {
  return { json: present(tree.file(params[0]!), tree, query.get('fields'), 'full') }
}

export function download({ house: { tree }, params, query }: Call): Reply {
  const file = tree.file(params[0]!)
  const wanted = query.get('version') ?? file.current.id
  const version = [file.current, ...file.past].find(({ id }) => id === wanted)
  if (version === undefined) throw notFound()
  return { headers: { 'content-type': 'application/octet-stream' }, file: version.blob }
}

/** The earlier versions: at Box the current one is not among them. */
export function listVersions({ house: { tree }, params, query }: Call): Reply {
  const file = tree.file(params[0]!)
  const limit = wholeNumber(query.get('limit'), LARGEST_PAGE)
  const offset = wholeNumber(query.get('offset'), 0)
  const entries = file.past
    .slice(offset, offset + limit)
    .map((version) => versionFull(version, file))
  return { json: { total_count: file.past.length, offset, limit, entries } }
}

export async function deleteFile(call: Call): Promise<Reply> {
  const { house, params } = call
  await house.blobs.drop(...house.tree.removeFile(params[0]!, header(call, 'if-match')))
  return { status: 204 }
}

function wholeNumber(value: string | null, usual: number): number {
  if (value === null || value === '') return usual
  if (!/^\d{1,9}$/.test(value)) throw badRequest('Expected a whole number')
  return Number(value)
}
