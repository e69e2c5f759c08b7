import { screens } from '@guidon/contract/screens'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { currentUserQuery } from '../api/current-user.ts'
import { configureCalls } from '../api/settings.ts'
import { SESSION_ENDED } from '../features/auth/session-ended.ts'

/** Goes to /signin, which clears the browser's data, when the session cannot be refreshed. */
export function useSessionEnd(): void {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  useEffect(() => {
    function onSessionEnd(): void {
      // A visitor who was not signed in gets no message.
      const known = queryClient.getQueryData(currentUserQuery.queryKey) !== undefined
      void navigate(screens.signIn, { replace: true, state: known ? SESSION_ENDED : null })
    }
    configureCalls({ onSessionEnd })
  }, [navigate, queryClient])
}
