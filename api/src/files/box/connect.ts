import { BoxClient, CcgConfig } from 'box-node-sdk'
import { BaseUrls, NetworkSession } from 'box-node-sdk/networking'
import { Agent } from 'undici'
import type { FileStoreMetrics } from '../port.ts'
import { SharedAuth } from './auth.ts'
import { boxNetwork } from './network.ts'
import { pace } from './pace.ts'
import { BoxResponseError } from './response-error.ts'

const BYTES_TIMEOUT_MS = 60_000
const MAX_OWN_WAIT_MS = 30_000

/** Box's limits for one account; all our processes share them. */
export const BOX_CALLS_PER_MINUTE = 1_000
export const BOX_UPLOADS_PER_MINUTE = 240

export interface BoxOptions {
  clientId: string
  clientSecret: string
  enterpriseId: string
  /** Replaces Box's API and token address, for example by a sandbox. */
  apiUrl?: string
  uploadUrl?: string
  /** How long a call may go without progress. */
  timeoutMs: number
  /** The same for uploads and downloads. */
  bytesTimeoutMs?: number
  callsPerMinute?: number
  uploadsPerMinute?: number
  /** How long a call may wait for our own rate limit. */
  maxRateLimitWaitMs?: number
  log: { warn(fields: object, message: string): void }
  metrics?: FileStoreMetrics
}

/** Calls Box, and repeats the call once if the token has expired. */
export type WithToken = <Result>(call: () => Promise<Result>) => Promise<Result>

export function connect(options: BoxOptions) {
  const { clientId, clientSecret, enterpriseId, apiUrl, uploadUrl, timeoutMs, log } = options
  const { callsPerMinute = BOX_CALLS_PER_MINUTE, uploadsPerMinute = BOX_UPLOADS_PER_MINUTE } =
    options
  const longestWaitMs = options.maxRateLimitWaitMs ?? MAX_OWN_WAIT_MS
  const dispatcher = new Agent({ connect: { timeout: timeoutMs }, allowH2: false })
  const auth = new SharedAuth({ config: new CcgConfig({ clientId, clientSecret, enterpriseId }) })
  const networkClient = boxNetwork({
    dispatcher,
    timeoutMs,
    bytesTimeoutMs: options.bytesTimeoutMs ?? BYTES_TIMEOUT_MS,
    calls: pace(callsPerMinute, longestWaitMs),
    uploads: pace(uploadsPerMinute, longestWaitMs),
    forget: (authorization) => auth.forget(authorization),
    metrics: options.metrics,
  })
  const client = new BoxClient({
    auth,
    networkSession: new NetworkSession({ networkClient }),
  }).withCustomBaseUrls(
    new BaseUrls({
      ...(apiUrl !== undefined && { baseUrl: apiUrl }),
      ...(uploadUrl !== undefined && { uploadUrl }),
    }),
  )

  const withToken: WithToken = async (call) => {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof BoxResponseError) || error.status !== 401) throw error
      log.warn({ status: error.status }, 'box: token expired')
      return call()
    }
  }
  return { client, withToken, close: () => dispatcher.destroy() }
}
