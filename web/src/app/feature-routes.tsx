import { use, type ComponentType, type ReactElement } from 'react'
import { Navigate, Route } from 'react-router'
import type { Feature, LazyScreen, ScreenRoute } from '../ui/feature.ts'
import { lazyCode } from '../ui/lazy-code.ts'
import { loadMenu } from './menu.tsx'
import { RequireRole } from './RequireRole.tsx'

type ScreenCode = () => Promise<ComponentType>

/** The routes of every feature, each behind its role guard and in its frame, and the code of each. */
export function featureRoutes(features: readonly Feature[]) {
  const screens = features.flatMap(({ routes }) => routes)
  const dashboard = lazyCode(() => loadDashboard(features))
  const codes = new Map<string, ScreenCode[]>()

  function elementOf(route: ScreenRoute): ReactElement {
    if ('redirectTo' in route) return <Navigate to={route.redirectTo} replace />
    if ('Screen' in route) return <route.Screen />
    const code = lazyCode(() => loadScreen(route))
    codes.set(route.path, route.frame === 'dashboard' ? [dashboard, code] : [code])
    return <Lazy code={code} />
  }

  function framed(route: ScreenRoute): ReactElement {
    const screen = <Route key={route.path} path={route.path} element={elementOf(route)} />
    const isPage = 'frame' in route && route.frame === 'dashboard'
    return isPage ? <Route element={<Lazy code={dashboard} />}>{screen}</Route> : screen
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

  /** The code of the screen at this path, then that of the screens it leads to. */
  function codeFrom(path: string): ScreenCode[] {
    const leadsTo = screens.find((route) => route.path === path)?.leadsTo ?? []
    return [path, ...leadsTo].flatMap((next) => codes.get(next) ?? [])
  }
  return { routes, codeFrom }
}

/** A screen whose code may still have to be fetched. */
export function Lazy({ code }: { code: ScreenCode }) {
  const Screen = use(code())
  return <Screen />
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
