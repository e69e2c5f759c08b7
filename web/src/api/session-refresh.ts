import { refresh } from '@guidon/contract/auth'
import { REFRESH_WAIT_SECONDS } from '@guidon/contract/limits'
import { CallFailure } from './call-failure.ts'
import { send, TIMED_OUT } from './send.ts'
import { callSettings } from './settings.ts'

export const REFRESH_WAIT_MESSAGE = 'Request timeout while waiting for token refresh'

/** `refused`: the session is over. `unreachable`: unknown, so the user stays signed in. */
export type RefreshOutcome = 'refreshed' | 'refused' | 'unreachable' | 'waited_too_long'

interface Attempt {
  outcome: RefreshOutcome
  /** The outcome for calls that waited for this refresh. */
  behind: RefreshOutcome
}

const LOCK = 'guidon-refresh'
const REFUSALS = new Set([400, 401, 403])

let underWay: Promise<Attempt> | undefined
let count = 0

/** Count of successful refreshes; a request sent before the latest one only needs to be repeated. */
export function refreshCount(): number {
  return count
}

/** Starts a refresh, or waits for the running one. */
export async function sessionRefresh(): Promise<RefreshOutcome> {
  if (underWay) return queued(underWay)
  underWay = inTurn(attempt).finally(() => (underWay = undefined))
  return (await underWay).outcome
}

async function attempt(): Promise<Attempt> {
  try {
    await send(refresh, {})
    count += 1
    return alike('refreshed')
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    if (error.code === TIMED_OUT) return { outcome: 'unreachable', behind: 'waited_too_long' }
    if (!REFUSALS.has(error.status)) return alike('unreachable')
    callSettings().onSessionEnd()
    return alike('refused')
  }
}

function alike(outcome: RefreshOutcome): Attempt {
  return { outcome, behind: outcome }
}

/** One tab at a time: two tabs that rotate the same token at once would race for the cookie. */
async function inTurn(task: () => Promise<Attempt>): Promise<Attempt> {
  if (!('locks' in navigator)) return task()
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), REFRESH_WAIT_SECONDS * 1000)
  try {
    return await navigator.locks.request(LOCK, { signal: patience.signal }, () => {
      clearTimeout(timer)
      return task()
    })
  } catch (error) {
    if (patience.signal.aborted) return alike('waited_too_long')
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function queued(refreshing: Promise<Attempt>): Promise<RefreshOutcome> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve('waited_too_long'), REFRESH_WAIT_SECONDS * 1000)
    refreshing.then(({ behind }) => resolve(behind), reject).finally(() => clearTimeout(timer))
  })
}
