import { Route, Routes } from 'react-router'
import { featureRoutes } from './feature-routes.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { rareFeatures } from './rare-features.ts'

const { routes } = featureRoutes(rareFeatures)

export function RareScreens() {
  return (
    <Routes>
      {routes}
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  )
}
