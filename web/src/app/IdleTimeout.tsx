import { checkAuth } from '@guidon/contract/auth'
import { screens } from '@guidon/contract/screens'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../api/call.ts'
import { endSession, useSignedInUser } from '../api/current-user.ts'
import { SESSION_ENDED } from '../features/auth/session-ended.ts'
import { IdleDialog } from '../ui/IdleDialog.tsx'
import { useActivityReport } from './use-activity-report.ts'
import { useIdleState } from './use-idle-state.ts'
import { useLogOut } from './use-log-out.ts'
import { useTabSync } from './use-tab-sync.ts'

/** Time for a tab that wakes from sleep to receive the queued messages of other tabs before it signs out. */
const GRACE_MS = 1000

/** Offers an idle user to stay signed in, and signs out when the time is over. */
export function IdleTimeout() {
  const navigate = useNavigate()
  const { role } = useSignedInUser()
  const state = useIdleState(role)
  const stay = useMutation({ mutationFn: () => call(checkAuth) })
  const leave = useLogOut()
  useActivityReport(role)
  useTabSync()

  const expired = state.kind === 'expired'
  useEffect(() => {
    if (!expired) return
    const timer = setTimeout(() => {
      // The server's idle limit ends a little later than this tab's, so end the session now.
      endSession()
      void navigate(screens.signIn, { replace: true, state: SESSION_ENDED })
    }, GRACE_MS)
    return () => clearTimeout(timer)
  }, [expired, navigate])

  return (
    <IdleDialog
      open={state.kind !== 'active'}
      secondsLeft={state.kind === 'warning' ? state.secondsLeft : 0}
      onStay={() => stay.mutate()}
      staying={stay.isPending}
      onLeave={leave.logOut}
      leaving={leave.busy}
      failure={stay.error?.message ?? leave.error?.message}
    />
  )
}
