import { Readable } from 'node:stream'
import type { FetchOptions, FetchResponse, NetworkClient } from 'box-node-sdk/networking'
import { request } from 'undici'
import type { Dispatcher } from 'undici'
import { FilesUnavailable } from '../port.ts'
import type { FileStoreMetrics } from '../port.ts'
import { bodyOf, ofLength } from './body.ts'
import { callError, readJson, downloadStream, requestStream } from './exchange.ts'
import { idleTimeout } from './idle-timeout.ts'
import type { Pace } from './pace.ts'
import { BoxResponseError } from './response-error.ts'

const MAX_REDIRECTS = 3

export interface NetworkOptions {
  dispatcher: Dispatcher
  /** Longest time without progress; `bytesTimeoutMs` is for uploads and downloads. */
  timeoutMs: number
  bytesTimeoutMs: number
  calls: Pace
  uploads: Pace
  /** Drops a token that Box rejected. */
  forget(authorization: string): Promise<void>
  metrics?: FileStoreMetrics | undefined
}

/**
 * Replaces the network layer of the Box SDK, which hangs on a truncated response, reads uploads into
 * memory, retries them on its own and prints tokens. Here one call is one request; the callers retry.
 */
export function boxNetwork(options: NetworkOptions): NetworkClient {
  return {
    async fetch(input): Promise<FetchResponse> {
      const call = input as FetchOptions
      try {
        // Requests for a token have no token themselves and do not count.
        if (call.auth) await waitForTurn(call, options)
        return await sendFollowingRedirects(call, options)
      } finally {
        // A stream that was never read would keep its file open.
        sourceOf(call)?.destroy()
      }
    },
  }
}

async function waitForTurn(
  { method, url }: FetchOptions,
  { calls, uploads, metrics }: NetworkOptions,
) {
  const startedAt = performance.now()
  try {
    if (method === 'POST' && /\/(content|upload_sessions)$/.test(url)) await uploads()
    await calls()
  } catch (error) {
    metrics?.ended('own_pace')
    throw error
  }
  metrics?.waited((performance.now() - startedAt) / 1000)
}

function sourceOf({ fileStream, multipartData }: FetchOptions): Readable | undefined {
  return fileStream ?? multipartData?.find((item) => item.fileStream)?.fileStream
}

/** A download redirects to another host, which must not get our token. */
async function sendFollowingRedirects(
  call: FetchOptions,
  options: NetworkOptions,
): Promise<FetchResponse> {
  const query = new URLSearchParams(call.params ?? {}).toString()
  let url = new URL(query === '' ? call.url : `${call.url}?${query}`)
  const { origin } = url
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const authorization =
      url.origin === origin
        ? await call.auth?.retrieveAuthorizationHeader(call.networkSession)
        : undefined
    const response = await send(url, call, options, authorization)
    const { location } = response.headers
    if (response.status < 300 || location === undefined) return response
    url = new URL(location, url)
  }
  throw new FilesUnavailable('bad_answer')
}

async function send(
  url: URL,
  call: FetchOptions,
  { dispatcher, timeoutMs, bytesTimeoutMs, forget, metrics }: NetworkOptions,
  authorization: string | undefined,
): Promise<FetchResponse> {
  const body = bodyOf(call)
  const isLong = body?.source !== undefined || call.responseFormat === 'binary'
  const timeout = idleTimeout(isLong ? bytesTimeoutMs : timeoutMs)
  const sending = body && requestStream(body, timeout)
  let outcome = 'none'
  try {
    const response = await request(url, {
      dispatcher,
      method: call.method,
      headers: { ...call.headers, ...body?.headers, ...(authorization && { authorization }) },
      ...(sending && { body: sending.stream }),
      signal: call.cancellationToken
        ? AbortSignal.any([timeout.signal, call.cancellationToken])
        : timeout.signal,
      // undici's timeouts would end an upload while our own source is slow; the idle timeout covers both directions.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    timeout.progress()
    const { statusCode: status, body: bytes } = response
    outcome = String(status)
    const headers = response.headers as Record<string, string>
    if (call.responseFormat === 'binary' && status === 200) {
      const content = downloadStream(bytes, timeout)
      const length = Number(headers['content-length'] ?? NaN)
      return {
        status,
        headers,
        content: Number.isNaN(length) ? content : ofLength(content, length),
      }
    }
    const data = await readJson(bytes, timeout)
    timeout.pause()
    if (status === 401 && authorization !== undefined) await forget(authorization)
    // The Box SDK would take 202 for success and drop its Retry-After.
    if (status >= 400 || status === 202) throw new BoxResponseError(status, headers, data)
    return { status, headers, ...(data !== undefined && { data }) }
  } catch (error) {
    timeout.pause()
    if (sending?.failure) throw sending.failure.reason
    throw callError(error, timeout)
  } finally {
    metrics?.ended(outcome)
  }
}
