import { screens } from '@guidon/contract/screens'
import { Suspense } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { lazyCode } from '../ui/lazy-code.ts'
import { LoadingPage } from '../ui/LoadingPage.tsx'
import { featureRoutes, Lazy } from './feature-routes.tsx'
import { features } from './features.ts'
import { LoadFailureBoundary } from './LoadFailureBoundary.tsx'
import { useSessionEnd } from './use-session-end.ts'

const notFound = lazyCode(async () => (await import('./NotFoundPage.tsx')).NotFoundPage)

export const { routes, codeFrom } = featureRoutes(features)

export function Screens() {
  useSessionEnd()
  const { pathname } = useLocation()
  return (
    <LoadFailureBoundary key={pathname}>
      <Suspense fallback={<LoadingPage />}>
        <Routes>
          <Route path="/" element={<Navigate to={screens.signIn} replace />} />
          {routes}
          <Route path="*" element={<Lazy code={notFound} />} />
        </Routes>
      </Suspense>
    </LoadFailureBoundary>
  )
}
