import { AsyncLocalStorage } from 'node:async_hooks'
import { setDispatcher } from '@jsforce/jsforce-node/lib/request.js'
import { EnvHttpProxyAgent } from 'undici'
import type { Dispatcher } from 'undici'

const CONNECT_TIMEOUT_MS = 8_000
/** Longer than any call, which has its own timeout. */
const TIMEOUT_MS = 60_000

/** Status and headers of a response, set when it is complete. */
export interface Exchange {
  status?: number
  headers?: Record<string, string | string[] | undefined>
}

const current = new AsyncLocalStorage<Exchange>()

/** Runs `work` and stores the status and headers of its response in `exchange`. */
export function withExchange<Result>(
  exchange: Exchange,
  work: () => Promise<Result>,
): Promise<Result> {
  return current.run(exchange, work)
}

/**
 * Delivers a response only when it is complete. When a connection breaks after the headers, jsforce throws an
 * uncaught exception and leaves a promise pending.
 */
const bufferResponse: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options, handler) => {
    const exchange = current.getStore() ?? {}
    const chunks: Buffer[] = []
    let deliverHead = () => {}
    return dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onResponseStart(controller, status, headers, message) {
        deliverHead = () => {
          exchange.status = status
          exchange.headers = headers
          handler.onResponseStart?.(controller, status, headers, message)
        }
      },
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd(controller, trailers) {
        deliverHead()
        if (chunks.length > 0) handler.onResponseData?.(controller, Buffer.concat(chunks))
        handler.onResponseEnd?.(controller, trailers)
      },
      onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
      onBodySent: (chunk) => handler.onBodySent?.(chunk),
      onRequestSent: () => handler.onRequestSent?.(),
    })
  }

// jsforce has one dispatcher for the whole process, which all adapters share.
let shared: Dispatcher | undefined
let users = 0

export function openDispatcher(): { dispatcher: Dispatcher; release(): Promise<void> } {
  shared ??= new EnvHttpProxyAgent({
    connect: { allowH2: false, timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  }).compose(bufferResponse)
  const dispatcher = shared
  setDispatcher(dispatcher)
  users += 1
  let released = false
  return {
    dispatcher,
    async release() {
      if (released) return
      released = true
      users -= 1
      if (users > 0) return
      shared = undefined
      await dispatcher.destroy()
    },
  }
}
