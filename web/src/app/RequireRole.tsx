import type { Role } from '@guidon/contract/account'
import { screens } from '@guidon/contract/screens'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { Navigate, Outlet } from 'react-router'
import { isAuthFailure } from '../api/call-failure.ts'
import { currentUserQuery } from '../api/current-user.ts'
import { SESSION_ENDED } from '../features/auth/session-ended.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { LoadingPage } from '../ui/LoadingPage.tsx'
import { CheckFailedPage } from './CheckFailedPage.tsx'

const IdleTimeout = lazyPart(async () => (await import('./IdleTimeout.tsx')).IdleTimeout)
const Uploads = lazyPart(
  async () => (await import('../features/documents/upload/Uploads.tsx')).Uploads,
)

/** Shows its screens to these roles only. The server checks again on each call. */
export function RequireRole({ roles }: { roles: readonly Role[] }) {
  const { data: user, dataUpdatedAt, error, isFetching, refetch } = useQuery(currentUserQuery)
  const restoredAt = useRestoredAt(() => void refetch())
  if (isAuthFailure(error)) {
    return <Navigate to={screens.signIn} replace state={user ? SESSION_ENDED : null} />
  }
  if (user && dataUpdatedAt >= restoredAt) {
    if (!roles.includes(user.role)) return <Navigate to={screens.signIn} replace />
    return (
      <>
        <Outlet />
        <IdleTimeout />
        {user.role === 'USER' && <Uploads />}
      </>
    )
  }
  if (error) {
    // The session may be fine, and /signin would clear what the user has typed.
    return (
      <CheckFailedPage message={error.message} busy={isFetching} onRetry={() => void refetch()} />
    )
  }
  return <LoadingPage />
}

/**
 * When Back or Forward restored the page; 0 if never. Such a page is as it was left, but the session may have
 * ended since.
 */
function useRestoredAt(check: () => void): number {
  const [restoredAt, setRestoredAt] = useState(0)
  const checkAgain = useEffectEvent(check)
  useEffect(() => {
    function onPageShow({ persisted }: PageTransitionEvent): void {
      if (!persisted) return
      setRestoredAt(Date.now())
      checkAgain()
    }
    addEventListener('pageshow', onPageShow)
    return () => removeEventListener('pageshow', onPageShow)
  }, [])
  return restoredAt
}
