import { text } from 'node:stream/consumers'
import { parseJsonObject } from '../json.ts'
import type { StoredBlob } from './blobs.ts'
import { bodyOf, header, jsonOf, requiredString } from './call.ts'
import type { Call, Reply } from './call.ts'
import { BoxError, badDigest, badRequest, tooLarge } from './errors.ts'
import { partsOf } from './multipart.ts'
import { fileFull } from './present.ts'
import type { StoredFile } from './stored-item.ts'
import type { Tree } from './tree.ts'

type Attributes = Record<string, unknown>

export async function preflight({ state, request, uploadUrl }: Call): Promise<Reply> {
  const body = await jsonOf(request)
  state.tree.checkNameIsFree(requiredString(body, 'parent.id'), requiredString(body, 'name'))
  return { json: { upload_url: `${uploadUrl}/2.0/files/content`, upload_token: null } }
}

export async function uploadFile(call: Call): Promise<Reply> {
  const { tree, stats } = call.state
  const check = (sent: Attributes) =>
    tree.checkNameIsFree(requiredString(sent, 'parent.id'), requiredString(sent, 'name'))
  const file = await receive(call, check, (sent, blob) =>
    tree.addFile(requiredString(sent, 'name'), requiredString(sent, 'parent.id'), blob),
  )
  stats.uploads += 1
  return { status: 201, json: presentUpload(file, tree) }
}

export async function uploadVersion(call: Call): Promise<Reply> {
  const { tree, stats } = call.state
  const id = call.params[0]!
  const ifMatch = header(call, 'if-match')
  const check = () => tree.checkEtag(tree.file(id), ifMatch)
  const file = await receive(call, check, ({ name }, blob) =>
    tree.addVersion(id, blob, ifMatch, typeof name === 'string' ? name : undefined),
  )
  stats.versions += 1
  return { status: 201, json: presentUpload(file, tree) }
}

export function presentUpload(file: StoredFile, tree: Tree) {
  return { total_count: 1, entries: [fileFull(file, tree)] }
}

/**
 * Reads the whole form before it stores the file. `check` runs before the bytes are read, and `store`
 * checks again afterwards, because another upload may have finished meanwhile.
 */
async function receive(
  call: Call,
  check: (attributes: Attributes) => void,
  store: (attributes: Attributes, blob: StoredBlob) => StoredFile,
): Promise<StoredFile> {
  const { blobs, limits } = call.state
  let attributes: Attributes | undefined
  let blob: StoredBlob | undefined
  try {
    for await (const part of partsOf(bodyOf(call.request), header(call, 'content-type'))) {
      if (part.name === 'attributes') {
        attributes = parseJsonObject(await text(part.body))
      } else if (part.name === 'file' && blob === undefined) {
        if (attributes === undefined) throw outOfOrder()
        check(attributes)
        blob = await blobs.write(limited(limits.maxDirectUploadBytes, part.body))
      }
    }
    if (attributes === undefined || blob === undefined) throw badRequest('Missing file')
    // In spite of its name, this header of Box contains a SHA-1.
    const announced = header(call, 'content-md5')
    if (announced !== undefined && announced.toLowerCase() !== blob.sha1) throw badDigest()
    return store(attributes, blob)
  } catch (error) {
    if (blob) await blobs.delete(blob)
    throw error
  }
}

async function* limited(limit: number, bytes: AsyncIterable<Buffer>) {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > limit) throw tooLarge()
    yield chunk
  }
}

const outOfOrder = () =>
  new BoxError(
    400,
    'metadata_after_file_contents',
    "The 'attributes' part of the form must come before the 'file' part",
  )
