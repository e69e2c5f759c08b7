import type { Role } from '@guidon/contract/account'
import { useEffect, useReducer, useSyncExternalStore } from 'react'
import { lastSessionSeen, onSessionSeen } from '../api/session-seen.ts'
import { idleState, type IdleState } from './idle.ts'

const LOOK_EVERY_MS = 1000

export function useIdleState(role: Role): IdleState {
  const lastSeen = useSyncExternalStore(onSessionSeen, lastSessionSeen)
  const [now, look] = useReducer(
    () => Date.now(),
    undefined,
    () => Date.now(),
  )

  useEffect(() => {
    const timer = setInterval(look, LOOK_EVERY_MS)
    // Browsers throttle timers in background tabs, so update when the tab becomes visible.
    document.addEventListener('visibilitychange', look)
    addEventListener('pageshow', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
      removeEventListener('pageshow', look)
    }
  }, [])

  return idleState(role, lastSeen, now)
}
