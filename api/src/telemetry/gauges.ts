import { ValueType } from '@opentelemetry/api'
import type { Counter, HrTime, Meter } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'
import type { GaugeMetricData, MetricProducer } from '@opentelemetry/sdk-metrics'
import type { GaugeSource, GaugeValue } from '../platform/gauge.ts'
import type { Log } from '../platform/log.ts'
import { withTimeout } from '../platform/timeout.ts'

/** Far below the ten seconds after which a scrape is given up. */
const READ_WITHIN_MS = 3_000

export interface GaugeRegistry {
  add(source: GaugeSource): void
}

/**
 * Gauges that are looked up at the moment of a scrape. OpenTelemetry's own observable gauges go on
 * telling the last value when a reading fails; here, what could not be read is not told, and counted.
 */
export function gaugeRegistry(
  resource: Resource,
  log: Pick<Log, 'warn'>,
  withinMs = READ_WITHIN_MS,
): GaugeRegistry & MetricProducer & { countFailuresIn(meter: Meter): void } {
  const all: { what: string; collect(): Promise<GaugeMetricData[]> }[] = []
  let failures: Counter | undefined

  const collectOne = async ({ what, collect }: (typeof all)[number]) => {
    try {
      return await withTimeout(withinMs, collect())
    } catch (err) {
      failures?.add(1, { reading: what })
      log.warn({ err, kind: what }, 'not measured')
      return []
    }
  }
  return {
    countFailuresIn: (meter) => {
      failures = meter.createCounter('guidon_watch_failures_total', {
        description: 'GaugeRegistry that failed or took too long, by what was to be read',
      })
    },
    add: ({ what, gauges, read }) => {
      let pending: Promise<GaugeMetricData[]> | undefined
      const collect = async () => {
        const values = Object.entries<GaugeValue>(await read())
        return values.map(([name, value]) => gauge(name, gauges[name] ?? '', value))
      }
      all.push({
        what,
        // One that hangs is waited for, not joined by another with every scrape.
        collect: () => (pending ??= collect().finally(() => (pending = undefined))),
      })
      failures?.add(0, { reading: what })
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
  const values = typeof value === 'number' ? [{ of: {}, value }] : (value ?? [])
  return {
    descriptor: { name, description, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.GAUGE,
    dataPoints: values.map((one) => ({
      startTime: time,
      endTime: time,
      attributes: one.of,
      value: one.value,
    })),
  }
}
