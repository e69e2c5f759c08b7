import type { Role } from '@guidon/contract/account'
import { checkAuth } from '@guidon/contract/auth'
import { useEffect, useRef } from 'react'
import { call } from '../api/call.ts'
import { lastSessionSeen } from '../api/session-seen.ts'
import { UPLOAD_PROGRESS } from '../api/upload-signals.ts'
import { idleState, shouldReport } from './idle.ts'

/** An upload counts too: the user waits for it. */
const ACTIVITY_EVENTS = [
  'pointerdown',
  'pointermove',
  'keydown',
  'wheel',
  'touchstart',
  UPLOAD_PROGRESS,
] as const

/** Keeps the session alive while the user reads or types without any other call. */
export function useActivityReport(role: Role): void {
  const lastTried = useRef(0)
  useEffect(() => {
    function report(): void {
      const now = Date.now()
      // While the dialog is open, only its buttons count as activity.
      if (idleState(role, lastSessionSeen(), now).kind !== 'active') return
      if (!shouldReport(lastSessionSeen(), lastTried.current, now)) return
      lastTried.current = now
      // A failed report is repeated on the next activity; an ended session redirects by itself.
      call(checkAuth).catch(() => {})
    }
    const listening = { capture: true, passive: true }
    for (const name of ACTIVITY_EVENTS) addEventListener(name, report, listening)
    return () => {
      for (const name of ACTIVITY_EVENTS) removeEventListener(name, report, listening)
    }
  }, [role])
}
