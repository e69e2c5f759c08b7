import type { ComponentType, ReactElement } from 'react'
import { Navigate, Route } from 'react-router'
import type { Feature, LazyScreen, ScreenRoute } from '../ui/feature.ts'
import { lazyComponent } from '../ui/lazy-component.ts'
import { loadMenu } from './menu.tsx'
import { RequireRole } from './RequireRole.tsx'

type LoadCode = () => Promise<unknown>

/** The routes of all features, each behind its role guard and in its frame, and a function to find their code. */
export function featureRoutes(features: readonly Feature[]) {
  const screens = features.flatMap(({ routes }) => routes)
  const Dashboard = lazyComponent(() => loadDashboard(features))
  const codes = new Map<string, LoadCode[]>()

  function elementOf(route: ScreenRoute): ReactElement {
    if ('redirectTo' in route) return <Navigate to={route.redirectTo} replace />
    if ('Screen' in route) return <route.Screen />
    const Screen = lazyComponent(() => loadScreen(route))
    codes.set(route.path, [...(route.frame === 'dashboard' ? [Dashboard.load] : []), Screen.load])
    return <Screen />
  }

  function framed(route: ScreenRoute): ReactElement {
    const screen = <Route key={route.path} path={route.path} element={elementOf(route)} />
    const inDashboard = 'frame' in route && route.frame === 'dashboard'
    return inDashboard ? <Route element={<Dashboard />}>{screen}</Route> : screen
  }

  const routes = screens.map((route) =>
    route.roles ? (
      <Route key={route.path} element={<RequireRole roles={route.roles} />}>
        {framed(route)}
      </Route>
    ) : (
      framed(route)
    ),
  )

  /** The code of the screen at this path. */
  const codeOf = (path: string): readonly LoadCode[] => codes.get(path) ?? []
  return { routes, codeOf }
}

async function loadScreen(route: LazyScreen): Promise<ComponentType> {
  if (route.frame !== 'account') return route.load()
  // Both at once, so that the account bar costs no further round trip.
  const [{ withAccount }, Screen] = await Promise.all([import('./with-account.tsx'), route.load()])
  return withAccount(Screen)
}

async function loadDashboard(features: readonly Feature[]): Promise<ComponentType> {
  const [{ Dashboard }, entries] = await Promise.all([
    import('./Dashboard.tsx'),
    loadMenu(features),
  ])
  return () => <Dashboard entries={entries} />
}
