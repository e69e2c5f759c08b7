import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import type { Context, Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { Resource } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { SpanExporter } from '@opentelemetry/sdk-trace'

const SEND_EVERY_MS = 1_000
const SEND_WITHIN_MS = 5_000

export interface Collector {
  /** Takes OTLP over HTTP, below `/v1/traces`. */
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
    timeoutMillis: SEND_WITHIN_MS,
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
        exportTimeoutMillis: SEND_WITHIN_MS,
      }),
    ],
  })
  return {
    tracer: provider.getTracer('guidon'),
    // What is still to be sent fails as any other batch does: it is told, and does not hold up the end.
    close: () => provider.shutdown().catch(onFailure),
  }
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Goes on with the trace that the balancer began, if it began one. */
export function parentOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & 1
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}
