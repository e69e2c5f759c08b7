import type { FairSemaphore, QueueMetrics } from '../platform/fair-semaphore.ts'
import type { Telemetry } from './start-telemetry.ts'

const WAIT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function hashQueueMetrics({ meter }: Pick<Telemetry, 'meter'>): QueueMetrics {
  const wait = meter.createHistogram('guidon_hash_wait_seconds', {
    description: 'How long passwords waited to be hashed',
    advice: { explicitBucketBoundaries: WAIT_BUCKETS },
  })
  const refused = meter.createCounter('guidon_hash_refused_total', {
    description: 'Sign-ins and new passwords that were refused because the queue was full',
  })
  refused.add(0)
  return { waited: (seconds) => wait.record(seconds), refused: () => refused.add(1) }
}

export function reportHashQueue(
  { gauges }: Pick<Telemetry, 'gauges'>,
  state: FairSemaphore['state'],
): void {
  gauges.add({
    sourceName: 'hash queue',
    gauges: {
      guidon_hash_running: 'Passwords that are being hashed',
      guidon_hash_waiting: 'Passwords that wait to be hashed',
    },
    read: () => {
      const { running, waiting } = state()
      return { guidon_hash_running: running, guidon_hash_waiting: waiting }
    },
  })
}
