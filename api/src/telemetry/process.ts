import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Readiness } from '../platform/readiness.ts'
import { version } from '../platform/version.ts'
import type { Telemetry } from './start-telemetry.ts'

const NANOSECONDS = 1e9
const SAMPLE_EVERY_MS = 20
/** Not reset at every scrape, so that two Prometheus servers see the same delays. */
const RESET_AFTER_MS = 10_000

export interface ReportedProcess {
  pool: { totalCount: number; idleCount: number; waitingCount: number }
  readiness: Pick<Readiness, 'ready' | 'isDraining'>
}

/** Metrics that every process reports. */
export function reportProcess(
  { meter, gauges }: Telemetry,
  { pool, readiness }: ReportedProcess,
): void {
  const loop = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS })
  let since = performance.now()
  const eventLoopDelay = () => {
    // Start sampling only when someone reads the metrics.
    loop.enable()
    const seconds = loop.percentile(99) / NANOSECONDS - SAMPLE_EVERY_MS / 1000
    if (performance.now() - since >= RESET_AFTER_MS) {
      loop.reset()
      since = performance.now()
    }
    return Math.max(0, seconds)
  }
  gauges.add({
    sourceName: 'process',
    gauges: {
      process_resident_memory_bytes: 'Resident memory of the process',
      guidon_event_loop_delay_seconds: 'Event loop delay, 99th percentile',
      guidon_database_connections:
        'Connections of the pool: in use, idle, and requests that wait for one',
    },
    read: () => ({
      process_resident_memory_bytes: process.memoryUsage.rss(),
      guidon_event_loop_delay_seconds: eventLoopDelay(),
      guidon_database_connections: [
        { labels: { state: 'in_use' }, value: pool.totalCount - pool.idleCount },
        { labels: { state: 'idle' }, value: pool.idleCount },
        { labels: { state: 'waiting' }, value: pool.waitingCount },
      ],
    }),
  })
  gauges.add({
    sourceName: 'build',
    gauges: { guidon_build_info: 'Always 1; the label is the version of the process' },
    read: () => ({ guidon_build_info: [{ labels: { version }, value: 1 }] }),
  })
  gauges.add({
    sourceName: 'ready',
    gauges: {
      guidon_ready: 'Whether the process is ready: 1, or 0 without its database or upload folder',
    },
    read: async () => {
      // A process that drains is not ready on purpose, so it reports nothing.
      const ready = await readiness.ready()
      return { guidon_ready: readiness.isDraining() ? null : Number(ready) }
    },
  })
  meter
    .createObservableCounter('process_cpu_seconds_total', {
      description: 'CPU time that the process has used',
    })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage()
      result.observe((user + system) / 1e6)
    })
}
