import type { Role } from '@guidon/contract/account'
import { screens } from '@guidon/contract/screens'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Navigate, Outlet } from 'react-router'
import { isAuthFailure } from '../api/call-failure.ts'
import { currentUserQuery } from '../api/current-user.ts'
import { SESSION_ENDED } from '../features/auth/session-ended.ts'
import { LoadingPage } from '../ui/LoadingPage.tsx'
import { CheckFailedPage } from './CheckFailedPage.tsx'

const IdleTimeout = lazy(async () => ({ default: (await import('./IdleTimeout.tsx')).IdleTimeout }))
const Uploads = lazy(async () => ({
  default: (await import('../features/documents/upload/Uploads.tsx')).Uploads,
}))

/** Shows its screens to these roles only. The server checks again on each call. */
export function RequireRole({ roles }: { roles: readonly Role[] }) {
  const { data: user, error, isFetching, refetch } = useQuery(currentUserQuery)
  if (isAuthFailure(error)) {
    return <Navigate to={screens.signIn} replace state={user ? SESSION_ENDED : null} />
  }
  if (user) {
    if (!roles.includes(user.role)) return <Navigate to={screens.signIn} replace />
    return (
      <>
        <Outlet />
        <Suspense>
          <IdleTimeout />
        </Suspense>
        {user.role === 'USER' && (
          <Suspense>
            <Uploads />
          </Suspense>
        )}
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
