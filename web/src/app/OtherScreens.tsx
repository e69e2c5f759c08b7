import { Route, Routes } from 'react-router'
import { featureRoutes } from './feature-routes.tsx'
import { laterFeatures } from './later-features.ts'
import { NotFoundPage } from './NotFoundPage.tsx'

const { routes } = featureRoutes(laterFeatures)

export function OtherScreens() {
  return (
    <Routes>
      {routes}
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  )
}
