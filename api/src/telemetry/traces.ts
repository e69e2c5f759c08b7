import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import type { Context, Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { Resource } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { SpanExporter } from '@opentelemetry/sdk-trace'

const SEND_EVERY_MS = 1_000
const SEND_TIMEOUT_MS = 5_000

export interface Collector {
  /** OTLP over HTTP; `/v1/traces` is added. */
  url: string
  headers: Record<string, string>
}

export function openTracer(
  { url, headers }: Collector,
  resource: Resource,
  onFailure: (error: unknown) => void,
): { tracer: Tracer; close(): Promise<void> } {
  const sender = new OTLPTraceExporter({
    url: `${url.replace(/\/$/, '')}/v1/traces`,
    headers,
    timeoutMillis: SEND_TIMEOUT_MS,
  })
  const exporter: SpanExporter = {
    export: (spans, done) =>
      sender.export(spans, (result) => {
        if (result.error) onFailure(result.error)
        done(result)
      }),
    shutdown: () => sender.shutdown(),
  }
  const provider = new TracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
  })
  return {
    tracer: provider.getTracer('guidon'),
    // A batch that cannot be sent at the end is reported and does not block the shutdown.
    close: () => provider.shutdown().catch(onFailure),
  }
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Continues the trace of the balancer, if there is one. */
export function parentOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & 1
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}
