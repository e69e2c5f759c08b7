import type { Role } from '@guidon/contract/account'
import { checkAuth } from '@guidon/contract/auth'
import { useEffect, useRef } from 'react'
import { call } from '../api/call.ts'
import { lastSessionSeen } from '../api/session-seen.ts'
import { idleState, worthReporting } from './idle.ts'

const ACTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/** Keeps the session of a person who reads or types for long without any call. */
export function useActivityReport(role: Role): void {
  const lastTried = useRef(0)
  useEffect(() => {
    function acted(): void {
      const now = Date.now()
      // Once the person is asked, or is too late, a touch of the mouse is no answer.
      if (idleState(role, lastSessionSeen(), now).kind !== 'active') return
      if (!worthReporting(lastSessionSeen(), lastTried.current, now)) return
      lastTried.current = now
      // What failed is tried again at the next act; a session that is over leads away by itself.
      call(checkAuth).catch(() => {})
    }
    const listening = { capture: true, passive: true }
    for (const act of ACTS) addEventListener(act, acted, listening)
    return () => {
      for (const act of ACTS) removeEventListener(act, acted, listening)
    }
  }, [role])
}
