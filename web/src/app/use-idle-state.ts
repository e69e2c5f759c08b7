import type { Role } from '@guidon/contract/account'
import { useEffect, useReducer, useSyncExternalStore } from 'react'
import { lastSessionSeen, onSessionSeen } from '../api/session-seen.ts'
import { idleState, type IdleState } from './idle.ts'

const TICK_MS = 1000

export function useIdleState(role: Role): IdleState {
  const lastSeen = useSyncExternalStore(onSessionSeen, lastSessionSeen)
  const [now, tick] = useReducer(
    () => Date.now(),
    undefined,
    () => Date.now(),
  )

  useEffect(() => {
    const timer = setInterval(tick, TICK_MS)
    // Browsers throttle timers in background tabs, so update when the tab becomes visible.
    document.addEventListener('visibilitychange', tick)
    addEventListener('pageshow', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
      removeEventListener('pageshow', tick)
    }
  }, [])

  return idleState(role, lastSeen, now)
}
