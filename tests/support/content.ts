import { pathOf } from '@guidon/contract/endpoint'
import { getContent, getContentOf } from '@guidon/contract/viewing'
import { cookieOf } from './test-client.ts'
import type { TestClient } from './test-client.ts'

export type ContentUse = 'view' | 'download' | 'check'

export const ownPath = (id: string, as: ContentUse = 'download') =>
  `${pathOf(getContent, { id })}?as=${as}`
export const staffPath = (userId: string, id: string, as: ContentUse = 'download') =>
  `${pathOf(getContentOf, { userId, id })}?as=${as}`

/** Requests a file with the cookies of the client, and leaves the body to be read as bytes. */
export const contentFetcher =
  (base: string) =>
  (client: Pick<TestClient, 'cookies'>, path: string, init: RequestInit = {}) =>
    fetch(base + path, {
      ...init,
      headers: { cookie: cookieOf(client) },
    })

export const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
