import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { Answered } from '../http/app.ts'
import type { Telemetry } from './start-telemetry.ts'
import { parentOf } from './traces.ts'

const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Rate, errors and duration by the route's pattern: never an address, which can name a person or a token. */
export function requestMetrics({ meter, tracer }: Pick<Telemetry, 'meter' | 'tracer'>) {
  const duration = meter.createHistogram('http_server_request_duration_seconds', {
    description: 'How long requests took, from their first byte to the last of the answer',
    advice: { explicitBucketBoundaries: BOUNDARIES },
  })
  return ({ id, method: asked, route, status, ms, traceparent }: Answered): void => {
    // Whatever a stranger calls his method is not to become a series of its own.
    const method = METHODS.has(asked) ? asked : '_OTHER'
    const attributes = {
      http_route: route,
      http_request_method: method,
      http_response_status_code: status,
    }
    duration.record(ms / 1000, attributes)
    if (!tracer) return
    const now = Date.now()
    const span = tracer.startSpan(
      `${method} ${route}`,
      {
        kind: SpanKind.SERVER,
        startTime: now - ms,
        attributes: {
          'http.route': route,
          'http.request.method': method,
          'http.response.status_code': status,
          'guidon.request_id': id,
        },
      },
      parentOf(traceparent),
    )
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(now)
  }
}
