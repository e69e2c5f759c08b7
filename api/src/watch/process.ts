import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Watch } from './open.ts'

const NANOSECONDS = 1e9

export interface WatchedProcess {
  pool: { totalCount: number; idleCount: number; waitingCount: number }
  /** Whether this process can do its work right now. */
  ready(): Promise<boolean>
}

/** What every process tells of itself. */
export function watchProcess({ meter, readings }: Watch, { pool, ready }: WatchedProcess): void {
  const loop = monitorEventLoopDelay({ resolution: 10 })
  loop.enable()
  readings.add({
    what: 'process',
    gauges: {
      process_resident_memory_bytes: 'Memory that the process holds',
      guidon_event_loop_delay_seconds:
        'How late the event loop was since the last scrape, 99 of 100',
      guidon_database_connections:
        'Connections of the pool: in use, idle, and asked for in vain so far',
    },
    read: () => {
      const delay = loop.percentile(99) / NANOSECONDS
      loop.reset()
      return {
        process_resident_memory_bytes: process.memoryUsage.rss(),
        guidon_event_loop_delay_seconds: delay,
        guidon_database_connections: [
          { of: { state: 'in_use' }, value: pool.totalCount - pool.idleCount },
          { of: { state: 'idle' }, value: pool.idleCount },
          { of: { state: 'waiting' }, value: pool.waitingCount },
        ],
      }
    },
  })
  readings.add({
    what: 'ready',
    gauges: { guidon_ready: 'Whether the process can do its work: 1, or 0 without its database' },
    read: async () => ({ guidon_ready: Number(await ready()) }),
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
