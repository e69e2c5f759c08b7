import { BoxClient, CcgConfig } from 'box-node-sdk'
import { BaseUrls, NetworkSession } from 'box-node-sdk/networking'
import { Agent } from 'undici'
import type { FileStoreMetrics } from '../port.ts'
import { SharedAuth } from './auth.ts'
import { boxNetwork } from './network.ts'
import { pace } from './pace.ts'
import { BoxRefusal } from './refusal.ts'

const BYTES_TIMEOUT_MS = 60_000
const LONGEST_OWN_WAIT_MS = 30_000

/** What Box allows one account in a minute; all processes are one account, and share it. */
export const BOX_CALLS_A_MINUTE = 1_000
export const BOX_UPLOADS_A_MINUTE = 240

export interface BoxOptions {
  clientId: string
  clientSecret: string
  enterpriseId: string
  /** Elsewhere than at Box: a sandbox, say. Tokens come from there too. */
  apiUrl?: string
  uploadUrl?: string
  /** How long a call may go without progress. */
  timeoutMs: number
  /** The same, where a file's bytes travel. */
  bytesTimeoutMs?: number
  callsPerMinute?: number
  uploadsPerMinute?: number
  longestOwnWaitMs?: number
  log: { warn(fields: object, message: string): void }
  watch?: FileStoreMetrics
}

/** Calls Box, and once more where the token has run out. */
export type Ask = <Answer>(call: () => Promise<Answer>) => Promise<Answer>

export function connect(options: BoxOptions) {
  const { clientId, clientSecret, enterpriseId, apiUrl, uploadUrl, timeoutMs, log } = options
  const { callsPerMinute = BOX_CALLS_A_MINUTE, uploadsPerMinute = BOX_UPLOADS_A_MINUTE } = options
  const longestWaitMs = options.longestOwnWaitMs ?? LONGEST_OWN_WAIT_MS
  const dispatcher = new Agent({ connect: { timeout: timeoutMs }, allowH2: false })
  const auth = new SharedAuth({ config: new CcgConfig({ clientId, clientSecret, enterpriseId }) })
  const networkClient = boxNetwork({
    dispatcher,
    timeoutMs,
    bytesTimeoutMs: options.bytesTimeoutMs ?? BYTES_TIMEOUT_MS,
    calls: pace(callsPerMinute, longestWaitMs),
    uploads: pace(uploadsPerMinute, longestWaitMs),
    forget: (authorization) => auth.forget(authorization),
    watch: options.watch,
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

  const ask: Ask = async (call) => {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof BoxRefusal) || error.status !== 401) throw error
      log.warn({ status: error.status }, 'the file store asks for a new token')
      return call()
    }
  }
  return { client, ask, close: () => dispatcher.destroy() }
}
