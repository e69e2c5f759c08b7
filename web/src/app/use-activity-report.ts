import type { Role } from '@guidon/contract/account'
import { checkAuth } from '@guidon/contract/auth'
import { useEffect, useRef } from 'react'
import { call } from '../api/call.ts'
import { lastSessionSeen } from '../api/session-seen.ts'
import { idleState, worthReporting } from './idle.ts'

const ACTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/** Keeps the session alive while the user reads or types without any other call. */
export function useActivityReport(role: Role): void {
  const lastTried = useRef(0)
  useEffect(() => {
    function acted(): void {
      const now = Date.now()
      // While the dialog is open, only its buttons decide.
      if (idleState(role, lastSessionSeen(), now).kind !== 'active') return
      if (!worthReporting(lastSessionSeen(), lastTried.current, now)) return
      lastTried.current = now
      // A failed report is repeated on the next activity; an ended session redirects by itself.
      call(checkAuth).catch(() => {})
    }
    const listening = { capture: true, passive: true }
    for (const act of ACTS) addEventListener(act, acted, listening)
    return () => {
      for (const act of ACTS) removeEventListener(act, acted, listening)
    }
  }, [role])
}
