import { Readable } from 'node:stream'
import type { FetchOptions, FetchResponse, NetworkClient } from 'box-node-sdk/networking'
import { request } from 'undici'
import type { Dispatcher } from 'undici'
import { FilesUnavailable } from '../port.ts'
import type { FileStoreMetrics } from '../port.ts'
import { bodyOf } from './body.ts'
import { watch } from './call-metrics.ts'
import { noAnswer, watchedJson, watchedRead, watchedSend } from './exchange.ts'
import type { Pace } from './pace.ts'
import { BoxRefusal } from './refusal.ts'

const MOST_REDIRECTS = 3

export interface NetworkOptions {
  dispatcher: Dispatcher
  /** So long without progress; the other where a file's bytes travel. */
  timeoutMs: number
  bytesTimeoutMs: number
  calls: Pace
  uploads: Pace
  /** This token was not taken. */
  forget(authorization: string): Promise<void>
  watch?: FileStoreMetrics | undefined
}

/**
 * The wire under Box's client, in place of its own, which waits for ever on an answer that breaks off,
 * reads uploads into memory, repeats them by itself and prints tokens. One call here is one request:
 * repeating is decided where it is known what a repeat would do.
 */
export function boxNetwork(options: NetworkOptions): NetworkClient {
  return {
    async fetch(input): Promise<FetchResponse> {
      const asked = input as FetchOptions
      try {
        // Who asks for a token is not asked for one, and not counted.
        if (asked.auth) await turn(asked, options)
        return await follow(asked, options)
      } finally {
        // It was perhaps never read, and would hold what is behind it open.
        sourceOf(asked)?.destroy()
      }
    },
  }
}

async function turn(
  { method, url }: FetchOptions,
  { calls, uploads, watch: told }: NetworkOptions,
) {
  const asked = performance.now()
  try {
    if (method === 'POST' && /\/(content|upload_sessions)$/.test(url)) await uploads()
    await calls()
  } catch (error) {
    told?.ended('own_pace')
    throw error
  }
  told?.waited((performance.now() - asked) / 1000)
}

function sourceOf({ fileStream, multipartData }: FetchOptions): Readable | undefined {
  const stream = fileStream ?? multipartData?.find((item) => item.fileStream)?.fileStream
  return stream
}

/** A download is answered by the address of another host, which must not get our token. */
async function follow(asked: FetchOptions, options: NetworkOptions): Promise<FetchResponse> {
  const query = new URLSearchParams(asked.params ?? {}).toString()
  let url = new URL(query === '' ? asked.url : `${asked.url}?${query}`)
  const { origin } = url
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const authorization =
      url.origin === origin
        ? await asked.auth?.retrieveAuthorizationHeader(asked.networkSession)
        : undefined
    const answer = await send(url, asked, options, authorization)
    const { location } = answer.headers
    if (answer.status < 300 || location === undefined) return answer
    url = new URL(location, url)
  }
  throw new FilesUnavailable('bad_answer')
}

async function send(
  url: URL,
  asked: FetchOptions,
  { dispatcher, timeoutMs, bytesTimeoutMs, forget, watch: told }: NetworkOptions,
  authorization: string | undefined,
): Promise<FetchResponse> {
  const body = bodyOf(asked)
  const isLong = body?.source !== undefined || asked.responseFormat === 'binary'
  const watching = watch(isLong ? bytesTimeoutMs : timeoutMs)
  const sending = body && watchedSend(body, watching)
  let outcome = 'none'
  try {
    const answer = await request(url, {
      dispatcher,
      method: asked.method,
      headers: { ...asked.headers, ...body?.headers, ...(authorization && { authorization }) },
      ...(sending && { body: sending.stream }),
      signal: watching.signal,
      // Its own limits would end an upload while our bytes are slow to come; the watch sees both ways.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    watching.progress()
    const { statusCode: status, body: bytes } = answer
    outcome = String(status)
    const headers = answer.headers as Record<string, string>
    if (asked.responseFormat === 'binary' && status === 200) {
      return { status, headers, content: watchedRead(bytes, watching) }
    }
    const data = await watchedJson(bytes, watching)
    watching.pause()
    if (status === 401 && authorization !== undefined) await forget(authorization)
    // Accepted is not done: Box's client takes it for an answer, and loses when to ask again.
    if (status >= 400 || status === 202) throw new BoxRefusal(status, headers, data)
    return { status, headers, ...(data !== undefined && { data }) }
  } catch (error) {
    watching.pause()
    if (sending?.failure) throw sending.failure.reason
    throw noAnswer(error, watching)
  } finally {
    told?.ended(outcome)
  }
}
