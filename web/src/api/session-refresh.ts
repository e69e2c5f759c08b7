import { refresh } from '@guidon/contract/auth'
import { REFRESH_WAIT_SECONDS } from '@guidon/contract/limits'
import { CallFailure } from './call-failure.ts'
import { send, TIMED_OUT } from './send.ts'
import { callSettings } from './settings.ts'

export const REFRESH_WAIT_MESSAGE = 'Request timeout while waiting for token refresh'

/** `refused`: the session is over. `unreachable`: unknown, so the user stays signed in. */
type RefreshOutcome = 'refreshed' | 'refused' | 'unreachable' | 'waited_too_long'

interface Attempt {
  outcome: RefreshOutcome
  /** The outcome for calls that waited for this refresh. */
  queuedOutcome: RefreshOutcome
}

const LOCK = 'guidon-refresh'
const REFUSALS = new Set([400, 401, 403])

let running: Promise<Attempt> | undefined
let count = 0
/** Whether a refusal of the running refresh sends the user to /signin. */
let endsSession = false

/** Count of successful refreshes. If it grew since a refused request was sent, repeating the request is enough. */
export function refreshCount(): number {
  return count
}

/** Starts a refresh, or waits for the running one. With `quiet`, a refusal does not send the user to /signin. */
export async function sessionRefresh(quiet = false): Promise<RefreshOutcome> {
  endsSession ||= !quiet
  if (running) return waitFor(running)
  running = withRefreshLock(attempt).finally(() => {
    running = undefined
    endsSession = false
  })
  return (await running).outcome
}

async function attempt(): Promise<Attempt> {
  try {
    await send(refresh, {})
    count += 1
    return sameOutcome('refreshed')
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    if (error.code === TIMED_OUT)
      return { outcome: 'unreachable', queuedOutcome: 'waited_too_long' }
    if (!REFUSALS.has(error.status)) return sameOutcome('unreachable')
    if (endsSession) callSettings().onSessionEnd()
    return sameOutcome('refused')
  }
}

function sameOutcome(outcome: RefreshOutcome): Attempt {
  return { outcome, queuedOutcome: outcome }
}

/** One tab at a time: two tabs that rotate the same token at once would race for the cookie. */
async function withRefreshLock(task: () => Promise<Attempt>): Promise<Attempt> {
  if (!('locks' in navigator)) return task()
  const lockTimeout = new AbortController()
  const timer = setTimeout(() => lockTimeout.abort(), REFRESH_WAIT_SECONDS * 1000)
  try {
    return await navigator.locks.request(LOCK, { signal: lockTimeout.signal }, () => {
      clearTimeout(timer)
      return task()
    })
  } catch (error) {
    if (lockTimeout.signal.aborted) return sameOutcome('waited_too_long')
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function waitFor(refreshing: Promise<Attempt>): Promise<RefreshOutcome> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve('waited_too_long'), REFRESH_WAIT_SECONDS * 1000)
    refreshing
      .then(({ queuedOutcome }) => resolve(queuedOutcome), reject)
      .finally(() => clearTimeout(timer))
  })
}
