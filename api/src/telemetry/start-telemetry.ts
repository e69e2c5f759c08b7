import type { Meter, Tracer } from '@opentelemetry/api'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type { Log } from '../platform/log.ts'
import { version } from '../platform/version.ts'
import { gaugeRegistry } from './gauges.ts'
import type { GaugeRegistry } from './gauges.ts'
import { openTracer } from './traces.ts'
import type { Collector } from './traces.ts'

export interface TelemetryOptions {
  /** `api` or `worker` */
  process: string
  /** Address of the metrics endpoint; none without it. */
  metrics?: { host: string; port: number } | undefined
  /** Where traces are sent; none without it. */
  collector?: Collector | undefined
  log: Log
}

export interface Telemetry {
  meter: Meter
  tracer: Tracer | undefined
  gauges: GaugeRegistry
  close(): Promise<void>
}

/** Registers nothing globally, so that tests can run several in one process. */
export async function startTelemetry({
  process,
  metrics,
  collector,
  log,
}: TelemetryOptions): Promise<Telemetry> {
  const resource = resourceFromAttributes({
    'service.name': `guidon-${process}`,
    'service.version': version,
  })
  const registry = gaugeRegistry(resource, log)
  const exporter =
    metrics &&
    new PrometheusExporter({
      ...metrics,
      metricProducers: [registry],
      withoutScopeInfo: true,
      preventServerStart: true,
    })
  const provider = new MeterProvider({ resource, readers: exporter ? [exporter] : [] })
  const meter = provider.getMeter('guidon')
  registry.countFailuresIn(meter)
  const failed = meter.createCounter('guidon_trace_failures_total', {
    description: 'Batches of traces that the collector did not accept',
  })
  failed.add(0)
  const traces =
    collector &&
    openTracer(collector, resource, (err) => {
      failed.add(1)
      log.warn({ err }, 'traces: not sent')
    })
  await exporter?.startServer()
  return {
    meter,
    tracer: traces?.tracer,
    gauges: registry,
    close: async () => {
      await Promise.all([traces?.close(), provider.shutdown()])
    },
  }
}
