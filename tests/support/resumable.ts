import { randomUUID } from 'node:crypto'
import { pathOf } from '@guidon/contract/endpoint'
import {
  appendToUpload,
  createUpload,
  deleteUpload,
  finishUpload,
  getUploadOffset,
  PART_MAX_BYTES,
  PART_TYPE,
  TUS_VERSION,
} from '@guidon/contract/resumable-uploads'
import type { UploadMetadata } from '@guidon/contract/resumable-uploads'
import type { TestClient } from './test-client.ts'

export const TUS = { 'tus-resumable': TUS_VERSION }

export const metadataOf = (fields: UploadMetadata): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')

/** What a client of the tus protocol does, one call each. */
export const create = (client: TestClient, size: number, fields: UploadMetadata = {}) =>
  client.call(createUpload, {
    headers: {
      ...TUS,
      'upload-length': String(size),
      'upload-metadata': metadataOf({
        filename: `${randomUUID()}.pdf`,
        documentType: 'Other',
        ...fields,
      }),
    },
  })

export const idOf = ({ headers }: { headers: Headers }): string =>
  headers.get('location')!.split('/').at(-1)!

export const partHeaders = (offset: number) => ({
  ...TUS,
  'content-type': PART_TYPE,
  'upload-offset': String(offset),
})

export const append = (client: TestClient, id: string, offset: number, bytes: Buffer) =>
  client.send('PATCH', pathOf(appendToUpload, { id }), new Uint8Array(bytes), partHeaders(offset))

export const offsetOf = async (client: TestClient, id: string): Promise<number | undefined> => {
  const { headers } = await client.call(getUploadOffset, { params: { id }, headers: TUS })
  const offset = headers.get('upload-offset')
  return offset === null ? undefined : Number(offset)
}

export const remove = (client: TestClient, id: string) =>
  client.call(deleteUpload, { params: { id }, headers: TUS })

export const finish = (client: TestClient, id: string, filename?: string) =>
  client.call(finishUpload, {
    params: { id },
    ...(filename && { headers: { 'upload-metadata': metadataOf({ filename }) } }),
  })

/** Creates an upload and sends all of its bytes. Returns its id. */
export async function sendInParts(
  client: TestClient,
  bytes: Buffer,
  fields: UploadMetadata = {},
): Promise<string> {
  const id = idOf(await create(client, bytes.length, fields))
  for (let at = 0; at < bytes.length; at += PART_MAX_BYTES) {
    const { status } = await append(client, id, at, bytes.subarray(at, at + PART_MAX_BYTES))
    if (status !== 204) throw new Error(`a part got the status ${status}`)
  }
  return id
}
