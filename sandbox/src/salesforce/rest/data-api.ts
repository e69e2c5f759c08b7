import type { Org } from '../data/org.ts'
import { notFound, apiError } from '../errors.ts'
import type { Kind, UsageCounter } from '../usage.ts'
import type { Call, Reply, Route } from './call.ts'
import { collectionRoutes } from './collections.ts'
import { compositeRoute } from './composite.ts'
import { describeRoutes } from './describe.ts'
import { queryRoutes } from './queries.ts'
import { sobjectRoutes } from './sobjects.ts'

export interface DataApi {
  kindOf(call: Pick<Call, 'method' | 'path'>): Kind
  handle(call: Call): Reply
}

/** Handles everything under `/services/data/v64.0`. */
export function dataApi(org: Org, usage: UsageCounter): DataApi {
  const limits: Route = {
    method: 'GET',
    pattern: /^\/limits\/?$/,
    kind: 'limits',
    handle() {
      const { used, max } = usage.usage
      return { status: 200, body: { DailyApiRequests: { Max: max, Remaining: max - used } } }
    },
  }
  const routes: Route[] = [
    ...queryRoutes(org),
    ...describeRoutes(org),
    ...collectionRoutes(org, (count) => usage.countRecords(count)),
    ...sobjectRoutes(org),
    compositeRoute(org, handlePart),
    limits,
  ]

  function handle(call: Call): Reply {
    for (const route of routes) {
      const found = route.method === call.method ? route.pattern.exec(call.path) : null
      if (found !== null) return org.atomically(() => route.handle(call, ...found.slice(1)))
    }
    if (routes.some(({ pattern }) => pattern.test(call.path))) {
      const message = `HTTP Method '${call.method}' not allowed.`
      throw apiError(405, 'METHOD_NOT_ALLOWED', message)
    }
    throw notFound()
  }

  function handlePart(call: Call): Reply {
    usage.countPart(kindOf(call))
    return handle(call)
  }

  function kindOf({ method, path }: Pick<Call, 'method' | 'path'>): Kind {
    const route = routes.find(
      (candidate) => candidate.method === method && candidate.pattern.test(path),
    )
    return route?.kind ?? 'other'
  }

  return { handle, kindOf }
}
