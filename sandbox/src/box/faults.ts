import { matchesGlob } from 'node:path'
import { FaultInjection, isCount, readFault } from '../fault-injection.ts'

export const FAULT_MODES = [
  'none',
  /** Cuts the connection before the call is handled. */
  'down',
  /** Holds the call until the fault changes; then it goes on, if the client is still connected. */
  'hang',
  '500',
  '503',
  '429',
  /** The account may not make the call. */
  '403',
  /** Revokes the token of the call. */
  'expired-token',
  /** Handles the call; sends half of the response. */
  'truncated',
  /** Handles the call; cuts the connection before the response. */
  'lost-response',
  'slow',
  /** A commit or a download is not ready yet: the client must retry. */
  '202',
  /** The account has no space left: no file is accepted. */
  'full',
] as const
export type FaultMode = (typeof FAULT_MODES)[number]

export interface Fault {
  mode: FaultMode
  /** How many calls it still affects; without it, every call until the fault is replaced. */
  times?: number
  method?: string
  /** A glob over the path, such as `/2.0/folders/**`, without the prefix of the upload host. */
  path?: string
  /** How long a slow call waits. */
  delayMs?: number
}

/** Decides which fault affects a call of Box's API. */
export class Faults extends FaultInjection<Fault> {
  faultFor(method: string, path: string): Fault {
    return this.apply((fault) => affects(fault, method, path))
  }
}

function affects(fault: Fault, method: string, path: string): boolean {
  // The request for a new token carries no token that could expire.
  if (fault.mode === 'expired-token' && path === '/oauth2/token') return false
  if (fault.mode === 'full' && !storesFile(method, path)) return false
  if (fault.mode === '202' && !canBePending(method, path)) return false
  if (fault.method !== undefined && fault.method !== method) return false
  return fault.path === undefined || matchesGlob(path, fault.path)
}

function canBePending(method: string, path: string): boolean {
  return path.endsWith('/commit') || (method === 'GET' && path.endsWith('/content'))
}

function storesFile(method: string, path: string): boolean {
  return method === 'POST' && /\/(?:content|upload_sessions)$/.test(path)
}

export const FAULT_HELP =
  `Send { "mode": ${FAULT_MODES.join(' | ')}, "times"?: a whole number above 0, ` +
  '"method"?: "POST", "path"?: "/2.0/files/*", "delayMs"?: for slow }'

export function readBoxFault(body: unknown): Fault | undefined {
  const fault = readFault(body, FAULT_MODES)
  if (fault === undefined) return undefined
  const { method, path, delayMs } = body as Record<string, unknown>
  if (delayMs !== undefined && !isCount(delayMs)) return undefined
  if (![method, path].every((value) => value === undefined || typeof value === 'string')) {
    return undefined
  }
  const filters = Object.entries({ method, path, delayMs }).filter(
    ([, value]) => value !== undefined,
  )
  return { ...fault, ...Object.fromEntries(filters) }
}
