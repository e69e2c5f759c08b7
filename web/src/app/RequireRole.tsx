import type { Role } from '@guidon/contract/account'
import { screens } from '@guidon/contract/screens'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useDeferredValue, useEffect, useEffectEvent, useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { isAuthFailure } from '../api/call-failure.ts'
import { currentUserQuery } from '../api/current-user.ts'
import { SESSION_ENDED } from '../features/auth/session-ended.ts'
import { VeteranState } from '../ui/Footer.tsx'
import { lazyComponent } from '../ui/lazy-component.ts'
import { LoadingPage } from '../ui/LoadingPage.tsx'
import { CheckFailedPage } from './CheckFailedPage.tsx'

// Not a `lazyPart`, which leaves the screen open if its code cannot be loaded: this one contains the idle timeout.
const SessionParts = lazyComponent(async () => (await import('./SessionParts.tsx')).SessionParts)

/** Shows its screens to these roles only. The server checks again on each call. */
export function RequireRole({ roles }: { roles: readonly Role[] }) {
  const { data: user, dataUpdatedAt, error, isFetching, refetch } = useQuery(currentUserQuery)
  const { pathname } = useLocation()
  const restoredAt = useRestoredAt(() => void refetch())
  const [firstEmail, setFirstEmail] = useState(user?.email)
  if (user && firstEmail === undefined) setFirstEmail(user.email)
  const isChecked = user !== undefined && dataUpdatedAt >= restoredAt
  // Renders a screen in short steps, between which the browser can respond.
  const isShown = useDeferredValue(isChecked)
  // Another account signed in with this browser. Nothing of the first one may be shown to it.
  const isOtherAccount = user !== undefined && user.email !== (firstEmail ?? user.email)
  if (isAuthFailure(error) || isOtherAccount) {
    return <Leave to={screens.signIn} state={user ? SESSION_ENDED : null} />
  }
  if (isChecked && isShown) {
    if (!roles.includes(user.role)) return <Leave to={screens.signIn} />
    if (user.consentsDue && pathname !== screens.updatedTerms) {
      return <Leave to={screens.updatedTerms} state={{ from: pathname }} />
    }
    return (
      <VeteranState value={user.state}>
        <Outlet />
        <Suspense>
          <SessionParts />
        </Suspense>
      </VeteranState>
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

/** Redirects, and keeps the focus until the other screen is rendered and its heading takes it. */
function Leave({ to, state }: { to: string; state?: unknown }) {
  return (
    <>
      <LoadingPage />
      <Navigate to={to} replace state={state} />
    </>
  )
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
