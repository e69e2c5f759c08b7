import { ValueType } from '@opentelemetry/api'
import type { Counter, HrTime, Meter } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'
import type { GaugeMetricData, MetricProducer } from '@opentelemetry/sdk-metrics'
import type { GaugeSource, GaugeValue } from '../platform/gauge.ts'
import type { Log } from '../platform/log.ts'
import { withTimeout } from '../platform/timeout.ts'

/** Below Prometheus's scrape timeout of ten seconds. */
const READ_TIMEOUT_MS = 3_000

export interface GaugeRegistry {
  add(source: GaugeSource): void
}

/**
 * Gauges that are read at each scrape. OpenTelemetry's observable gauges repeat the last value if a read
 * fails; here the gauge is left out and the failure counted.
 */
export function gaugeRegistry(
  resource: Resource,
  log: Pick<Log, 'warn'>,
  timeoutMs = READ_TIMEOUT_MS,
): GaugeRegistry & MetricProducer & { countFailuresIn(meter: Meter): void } {
  const all: { sourceName: string; collect(): Promise<GaugeMetricData[]> }[] = []
  let failures: Counter | undefined

  const collectOne = async ({ sourceName, collect }: (typeof all)[number]) => {
    try {
      return await withTimeout(timeoutMs, collect())
    } catch (err) {
      failures?.add(1, { reading: sourceName })
      log.warn({ err, kind: sourceName }, 'metrics: not read')
      return []
    }
  }
  return {
    countFailuresIn: (meter) => {
      failures = meter.createCounter('guidon_watch_failures_total', {
        description: 'Reads of gauges that failed or took too long, by source',
      })
    },
    add: ({ sourceName, gauges, read }) => {
      let pending: Promise<GaugeMetricData[]> | undefined
      const collect = async () => {
        const values = Object.entries<GaugeValue>(await read())
        return values.map(([name, value]) => gauge(name, gauges[name] ?? '', value))
      }
      all.push({
        sourceName,
        // A read that hangs is not started again by the next scrape.
        collect: () => (pending ??= collect().finally(() => (pending = undefined))),
      })
      failures?.add(0, { reading: sourceName })
    },
    collect: async () => {
      const metrics = (await Promise.all(all.map(collectOne))).flat()
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'guidon' }, metrics }] },
        errors: [],
      }
    },
  }
}

function gauge(name: string, description: string, value: GaugeValue): GaugeMetricData {
  const now = Date.now()
  const time: HrTime = [Math.trunc(now / 1000), (now % 1000) * 1e6]
  const values = typeof value === 'number' ? [{ labels: {}, value }] : (value ?? [])
  return {
    descriptor: { name, description, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.GAUGE,
    dataPoints: values.map((sample) => ({
      startTime: time,
      endTime: time,
      attributes: sample.labels,
      value: sample.value,
    })),
  }
}
