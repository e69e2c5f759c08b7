import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { BoxCcgAuth, BoxClient, CcgConfig } from 'box-node-sdk'
import { BoxRetryStrategy, NetworkSession } from 'box-node-sdk/networking'
import type { Box } from './box.ts'

interface Retries {
  maxAttempts?: number
  maxRetriesOnException?: number
}

/** Box's SDK with the sandbox's URLs and short retries. For tests. */
export function sdkFor(box: Box, retries: Retries = {}, credentials = box.credentials) {
  const retryStrategy = new BoxRetryStrategy({
    maxAttempts: 2,
    maxRetriesOnException: 0,
    retryBaseInterval: 0.005,
    ...retries,
  })
  const auth = new BoxCcgAuth({ config: new CcgConfig(credentials) })
  return new BoxClient({
    auth,
    networkSession: new NetworkSession({ retryStrategy }),
  }).withCustomBaseUrls({ baseUrl: box.url, uploadUrl: box.uploadUrl })
}

export const uploadOf = (name: string, bytes: Buffer | string, folderId = '0') => ({
  attributes: { name, parent: { id: folderId } },
  file: Readable.from([Buffer.from(bytes)]),
})

export async function downloaded(sdk: BoxClient, id: string, version?: string): Promise<Buffer> {
  const options = version === undefined ? {} : { queryParams: { version } }
  return buffer((await sdk.downloads.downloadFile(id, options)) as Readable)
}

interface Refusal {
  statusCode: number
  headers: Record<string, string>
  body: {
    type: string
    status: number
    code: string
    message: string
    request_id: string
    context_info?: { conflicts: unknown }
  }
}

/** The error response of a refused call. */
export async function refusal(call: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await call.then(
    () => new Error('the call was not refused'),
    (thrown: unknown) => thrown,
  )
  const { responseInfo } = error as { responseInfo?: Refusal }
  if (responseInfo === undefined) throw error
  return responseInfo
}

export const sha1 = (bytes: Buffer | string) => createHash('sha1').update(bytes).digest('hex')

export const filesOnDisk = async (box: Box) => (await readdir(box.folder)).length
