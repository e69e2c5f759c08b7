import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { RequestRecord } from '../http/app.ts'
import type { Telemetry } from './start-telemetry.ts'
import { parentOf } from './traces.ts'

const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Labels contain the route's pattern, never the URL, which can contain personal data or a token. */
export function requestMetrics({ meter, tracer }: Pick<Telemetry, 'meter' | 'tracer'>) {
  const duration = meter.createHistogram('http_server_request_duration_seconds', {
    description: 'Duration of requests, until the last byte of the response',
    advice: { explicitBucketBoundaries: BOUNDARIES },
  })
  return ({ id, method: received, route, status, ms, traceparent }: RequestRecord): void => {
    // An unknown method must not create a new series.
    const method = METHODS.has(received) ? received : '_OTHER'
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
