import type { Document } from '@guidon/contract/documents'
import type { Endpoint } from '@guidon/contract/endpoint'
import {
  appendToUpload,
  createUpload,
  finishUpload,
  getUploadOffset,
  PART_TYPE,
  TUS_VERSION,
  type UploadMetadata,
} from '@guidon/contract/resumable-uploads'
import { CallFailure, isAuthFailure } from '../call-failure.ts'
import { withSessionRefresh } from '../call.ts'
import { CHECK_SECONDS, sendBytes } from '../send-bytes.ts'
import { addressOf, readResponse } from '../send.ts'

/** Much of a part may still be on its way when the browser has handed it to the network. */
const PART_RESPONSE_SECONDS = 30

interface RequestOptions extends Attempt {
  id?: string
  headers?: Record<string, string>
  body?: Blob
  responseSeconds?: number
  onProgress?: (share: number) => void
}

interface Attempt {
  /** A repetition after a failure is not activity of the user, and must not keep the session of an absent one open. */
  repeated?: boolean
  signal?: AbortSignal
}

/** Returns the parsed body, and the headers of the response. */
async function exchange(endpoint: Endpoint, given: RequestOptions) {
  const { id, headers, repeated = false, responseSeconds = PART_RESPONSE_SECONDS, ...rest } = given
  const params = id === undefined ? {} : { id }
  const request = async () => {
    const response = await sendBytes({
      endpoint,
      address: addressOf(endpoint, { params }),
      headers: { 'Tus-Resumable': TUS_VERSION, ...headers },
      responseSeconds,
      isActivity: !repeated,
      ...rest,
    })
    return { body: readResponse(endpoint, response), header: response.header }
  }
  const attempt = (inBackground: boolean) =>
    withSessionRefresh(
      { ...endpoint, ...(inBackground && { inBackground }) },
      request,
    ) as ReturnType<typeof request>
  if (!repeated) return attempt(false)
  try {
    return await attempt(true)
  } catch (error) {
    // In the background the session is not refreshed.
    if (isAuthFailure(error)) return attempt(false)
    throw error
  }
}

/** Returns the id of the new upload. */
export async function create(size: number, metadata: UploadMetadata): Promise<string> {
  const headers = { 'Upload-Length': String(size), 'Upload-Metadata': metadataHeader(metadata) }
  const { header } = await exchange(createUpload, { headers })
  const id = header('Location')?.split('/').at(-1)
  if (!id) throw unexpectedResponse(createUpload)
  return id
}

export async function readOffset(id: string, attempt: Attempt): Promise<number> {
  const { header } = await exchange(getUploadOffset, { id, ...attempt })
  return offsetIn(getUploadOffset, header)
}

/** Returns how many bytes the server has then. */
export async function append(
  id: string,
  offset: number,
  part: Blob,
  attempt: Attempt & { onProgress: (share: number) => void },
): Promise<number> {
  const { header } = await exchange(appendToUpload, {
    id,
    headers: { 'Upload-Offset': String(offset), 'Content-Type': PART_TYPE },
    body: part,
    ...attempt,
  })
  return offsetIn(appendToUpload, header)
}

/** `filename`: of the document, which may differ from the one at the start. */
export async function finish(
  id: string,
  filename: string,
  attempt: Attempt = {},
): Promise<Document> {
  const { body } = await exchange(finishUpload, {
    id,
    headers: { 'Upload-Metadata': metadataHeader({ filename }) },
    responseSeconds: CHECK_SECONDS,
    ...attempt,
  })
  return body as Document
}

function metadataHeader(metadata: UploadMetadata): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name} ${base64(value)}`)
    .join(',')
}

const base64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))

function offsetIn(endpoint: Endpoint, header: (name: string) => string | null): number {
  const value = header('Upload-Offset')
  if (value === null || !/^\d+$/.test(value)) throw unexpectedResponse(endpoint)
  return Number(value)
}

/** For a response that the API never sends, such as one from a proxy. Status 0, so that the request is retried. */
export const unexpectedResponse = (endpoint: Endpoint): CallFailure =>
  new CallFailure({ status: 0, code: 'unexpected_answer', message: endpoint.failure })
