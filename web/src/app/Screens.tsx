import { screens } from '@guidon/contract/screens'
import { Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { lazyComponent } from '../ui/lazy-component.ts'
import { LoadingPage } from '../ui/LoadingPage.tsx'
import { featureRoutes } from './feature-routes.tsx'
import { features } from './features.ts'
import { LoadFailureBoundary } from './LoadFailureBoundary.tsx'
import { useHeldLocation } from './use-held-location.ts'
import { useSessionEnd } from './use-session-end.ts'

const RareScreens = lazyComponent(async () => (await import('./RareScreens.tsx')).RareScreens)

const { routes, codeOf } = featureRoutes(features)

export { codeOf }

export function Screens() {
  useSessionEnd()
  const location = useHeldLocation()
  return (
    <LoadFailureBoundary key={location.pathname}>
      <Suspense fallback={<LoadingPage />}>
        <Routes location={location}>
          <Route path="/" element={<Navigate to={screens.signIn} replace />} />
          {routes}
          <Route path="*" element={<RareScreens />} />
        </Routes>
      </Suspense>
    </LoadFailureBoundary>
  )
}
