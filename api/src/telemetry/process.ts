import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Readiness } from '../platform/readiness.ts'
import { version } from '../platform/version.ts'
import type { Telemetry } from './start-telemetry.ts'

const NANOSECONDS = 1e9
const LOOK_EVERY_MS = 20
/** Longer than between two who ask at the same time, such as a scrape and a health check. */
const ANEW_AFTER_MS = 10_000

export interface ReportedProcess {
  pool: { totalCount: number; idleCount: number; waitingCount: number }
  readiness: Pick<Readiness, 'ready' | 'leaving'>
}

/** What every process tells of itself. */
export function reportProcess(
  { meter, gauges }: Telemetry,
  { pool, readiness }: ReportedProcess,
): void {
  const loop = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS })
  let since = performance.now()
  /** The time between two looks, less what it should be. */
  const lateness = () => {
    // From the first question on: who is never asked need not look.
    loop.enable()
    const seconds = loop.percentile(99) / NANOSECONDS - LOOK_EVERY_MS / 1000
    if (performance.now() - since >= ANEW_AFTER_MS) {
      loop.reset()
      since = performance.now()
    }
    return Math.max(0, seconds)
  }
  gauges.add({
    what: 'process',
    gauges: {
      process_resident_memory_bytes: 'Memory that the process holds',
      guidon_event_loop_delay_seconds: 'How late the event loop was of late, 99 times of 100',
      guidon_database_connections:
        'Connections of the pool: in use, idle, and asked for in vain so far',
    },
    read: () => ({
      process_resident_memory_bytes: process.memoryUsage.rss(),
      guidon_event_loop_delay_seconds: lateness(),
      guidon_database_connections: [
        { of: { state: 'in_use' }, value: pool.totalCount - pool.idleCount },
        { of: { state: 'idle' }, value: pool.idleCount },
        { of: { state: 'waiting' }, value: pool.waitingCount },
      ],
    }),
  })
  gauges.add({
    what: 'build',
    gauges: { guidon_build_info: 'Always 1; the label is the version of the process' },
    read: () => ({ guidon_build_info: [{ of: { version }, value: 1 }] }),
  })
  gauges.add({
    what: 'ready',
    gauges: { guidon_ready: 'Whether the process can do its work: 1, or 0 without its database' },
    read: async () => {
      // Whoever was asked to end is not ready on purpose.
      const found = await readiness.ready()
      return { guidon_ready: readiness.leaving() ? null : Number(found) }
    },
  })
  meter
    .createObservableCounter('process_cpu_seconds_total', {
      description: 'Processor time that the process has used',
    })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage()
      result.observe((user + system) / 1e6)
    })
}
