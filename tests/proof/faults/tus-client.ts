import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { refresh } from '@guidon/contract/auth'
import { pathOf } from '@guidon/contract/endpoint'
import {
  createUpload,
  finishUpload,
  getUnfinishedUploads,
  getUploadOffset,
  PART_MAX_BYTES,
  PART_TYPE,
  type UnfinishedUpload,
  uploadIncomplete,
} from '@guidon/contract/resumable-uploads'
import { metadataOf, TUS } from '../../support/resumable.ts'
import { cookieOf } from '../../support/test-client.ts'
import type { TestClient } from '../../support/test-client.ts'

const RETRY_MS = 50
const STALLED_MS = 30_000

export interface TusTarget {
  /** One or several addresses; each call uses the next one. */
  bases: readonly string[]
  origin: string
  /** Signed in. */
  client: TestClient
}

interface Response {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** A client of the tus protocol that continues until the file is there, whatever happens to its connections. */
export function tusClient({ bases, origin, client }: TusTarget) {
  let calls = 0

  const call = (method: string, path: string, headers: object, body: Buffer = Buffer.alloc(0)) =>
    new Promise<Response>((resolve, reject) => {
      calls += 1
      const sent = request(bases[calls % bases.length]! + path, {
        method,
        agent: false,
        timeout: STALLED_MS,
        headers: { ...headers, origin, cookie: cookieOf(client), 'content-length': body.length },
      })
      sent.once('response', (response) => {
        let text = ''
        response.on('data', (chunk) => (text += String(chunk))).once('error', reject)
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        )
      })
      sent.once('timeout', () => sent.destroy(new Error('stalled'))).once('error', reject)
      sent.end(body)
    })

  /** Repeats a call until it gets a response other than 401, 429 or 5xx. After a 401 it renews the session first. */
  const untilAnswered = async (...args: Parameters<typeof call>): Promise<Response> => {
    for (;;) {
      const response = await call(...args).catch(() => undefined)
      if (response?.status === 401) await client.call(refresh, {}).catch(() => {})
      else if (response && response.status < 500 && response.status !== 429) return response
      await delay(RETRY_MS)
    }
  }

  /** Returns the path of the upload. Its creation may have succeeded although the response was lost. */
  const create = async (name: string, bytes: Buffer): Promise<string> => {
    const head = {
      ...TUS,
      'upload-length': String(bytes.length),
      'upload-metadata': metadataOf({ filename: name, documentType: 'Other' }),
    }
    for (;;) {
      const created = await call('POST', createUpload.path, head).catch(() => undefined)
      if (created?.headers.location !== undefined) return created.headers.location
      const { body } = await untilAnswered('GET', getUnfinishedUploads.path, {})
      const found = (JSON.parse(body) as UnfinishedUpload[]).find((one) => one.name === name)
      if (found) return pathOf(getUploadOffset, { id: found.id })
      await delay(RETRY_MS)
    }
  }

  const sendBytes = async (path: string, bytes: Buffer): Promise<void> => {
    for (;;) {
      const { headers, status } = await untilAnswered('HEAD', path, TUS)
      const offset = Number(headers['upload-offset'])
      if (status !== 200) throw new Error(`the offset got the status ${status}`)
      if (offset === bytes.length) return
      const head = { ...TUS, 'content-type': PART_TYPE, 'upload-offset': String(offset) }
      await call('PATCH', path, head, bytes.subarray(offset, offset + PART_MAX_BYTES)).catch(() =>
        delay(RETRY_MS),
      )
    }
  }

  return {
    calls: () => calls,
    /** Returns the response to `finishUpload`. */
    send: async (name: string, bytes: Buffer): Promise<Response> => {
      const path = await create(name, bytes)
      const finishPath = pathOf(finishUpload, { id: path.split('/').at(-1)! })
      for (;;) {
        await sendBytes(path, bytes)
        const finished = await untilAnswered('POST', finishPath, {})
        // If PostgreSQL was killed, it may have lost the last chunk, which is sent again.
        if (!finished.body.includes(uploadIncomplete.code)) return finished
      }
    },
  }
}
