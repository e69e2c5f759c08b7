import { AsyncLocalStorage } from 'node:async_hooks'
import { setDispatcher } from '@jsforce/jsforce-node/lib/request.js'
import { EnvHttpProxyAgent } from 'undici'
import type { Dispatcher } from 'undici'

const LONGEST_MS = 8_000

/** What is known of an answer besides its body, once the whole of it has come. */
export interface Exchange {
  status?: number
  headers?: Record<string, string | string[] | undefined>
}

const current = new AsyncLocalStorage<Exchange>()

/** Runs `work` and notes in `seen` what its answer was. */
export function observed<Result>(seen: Exchange, work: () => Promise<Result>): Promise<Result> {
  return current.run(seen, work)
}

/**
 * Holds an answer back until it is whole. The vendor's program makes an uncaught exception, and a promise
 * that never settles, of a connection that breaks after the headers; so it gets all or an error.
 */
const whole: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const seen = current.getStore() ?? {}
  const chunks: Buffer[] = []
  let begin = () => {}
  return dispatch(options, {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart(controller, status, headers, message) {
      begin = () => {
        seen.status = status
        seen.headers = headers
        handler.onResponseStart?.(controller, status, headers, message)
      }
    },
    onResponseData: (_, chunk) => void chunks.push(chunk),
    onResponseEnd(controller, trailers) {
      begin()
      if (chunks.length > 0) handler.onResponseData?.(controller, Buffer.concat(chunks))
      handler.onResponseEnd?.(controller, trailers)
    },
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
    onBodySent: (chunk) => handler.onBodySent?.(chunk),
    onRequestSent: () => handler.onRequestSent?.(),
  })
}

// The vendor's program has one dispatcher for the whole process, however many adapters are open.
let shared: Dispatcher | undefined
let users = 0

export function openDispatcher(): { dispatcher: Dispatcher; release(): Promise<void> } {
  shared ??= new EnvHttpProxyAgent({
    connect: { allowH2: false, timeout: LONGEST_MS },
    headersTimeout: LONGEST_MS,
    bodyTimeout: LONGEST_MS,
  }).compose(whole)
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
