import type { Org } from '../data/org.ts'
import { notFound, problem } from '../problem.ts'
import type { Kind, UsageCounter } from '../usage.ts'
import type { Call, Reply, Route } from './call.ts'
import { collectionRoutes } from './collections.ts'
import { compositeRoute } from './composite.ts'
import { describeRoutes } from './describe.ts'
import { queryRoutes } from './queries.ts'
import { sobjectRoutes } from './sobjects.ts'

export interface DataApi {
  kindOf(call: Pick<Call, 'method' | 'path'>): Kind
  answer(call: Call): Reply
}

/** Everything under `/services/data/v64.0`. */
export function dataApi(org: Org, usage: UsageCounter): DataApi {
  const limits: Route = {
    method: 'GET',
    pattern: /^\/limits\/?$/,
    kind: 'limits',
    answer() {
      const { used, max } = usage.usage
      return { status: 200, body: { DailyApiRequests: { Max: max, Remaining: max - used } } }
    },
  }
  const routes: Route[] = [
    ...queryRoutes(org),
    ...describeRoutes(org),
    ...collectionRoutes(org),
    ...sobjectRoutes(org),
    compositeRoute(org, answer),
    limits,
  ]

  function answer(call: Call): Reply {
    for (const { method, pattern, answer: reply } of routes) {
      const found = method === call.method ? pattern.exec(call.path) : null
      if (found !== null) return org.atomically(() => reply(call, ...found.slice(1)))
    }
    if (routes.some(({ pattern }) => pattern.test(call.path))) {
      const message = `HTTP Method '${call.method}' not allowed.`
      throw problem(405, 'METHOD_NOT_ALLOWED', message)
    }
    throw notFound()
  }

  return {
    answer,
    kindOf({ method, path }) {
      const route = routes.find((one) => one.method === method && one.pattern.test(path))
      return route?.kind ?? 'other'
    },
  }
}
