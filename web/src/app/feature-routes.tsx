import { lazy, type ComponentType, type ReactElement } from 'react'
import { Navigate, Route } from 'react-router'
import type { Feature, LazyScreen, ScreenRoute } from '../ui/feature.ts'
import { loadMenu } from './menu.tsx'
import { RequireRole } from './RequireRole.tsx'

/** The routes of every feature, each behind its role guard and in its frame. */
export function featureRoutes(features: readonly Feature[]): ReactElement[] {
  const Dashboard = lazy(() => loadDashboard(features))

  function framed(route: ScreenRoute): ReactElement {
    const screen = <Route key={route.path} path={route.path} element={elementOf(route)} />
    const isPage = 'frame' in route && route.frame === 'dashboard'
    return isPage ? <Route element={<Dashboard />}>{screen}</Route> : screen
  }

  return features
    .flatMap(({ routes }) => routes)
    .map((route) =>
      route.roles ? (
        <Route key={route.path} element={<RequireRole roles={route.roles} />}>
          {framed(route)}
        </Route>
      ) : (
        framed(route)
      ),
    )
}

function elementOf(route: ScreenRoute): ReactElement {
  if ('redirectTo' in route) return <Navigate to={route.redirectTo} replace />
  if ('Screen' in route) return <route.Screen />
  const Screen = lazy(async () => ({ default: await loadScreen(route) }))
  return <Screen />
}

async function loadScreen(route: LazyScreen): Promise<ComponentType> {
  if (route.frame !== 'account') return route.load()
  // Both at once, so that the account bar costs no further round trip.
  const [{ withAccount }, Screen] = await Promise.all([import('./with-account.tsx'), route.load()])
  return withAccount(Screen)
}

async function loadDashboard(features: readonly Feature[]): Promise<{ default: ComponentType }> {
  const [{ Dashboard }, entries] = await Promise.all([
    import('./Dashboard.tsx'),
    loadMenu(features),
  ])
  return { default: () => <Dashboard entries={entries} /> }
}
