import type { Clamd, Scanner } from '../files/checks/clamd.ts'
import type { FileStoreMetrics } from '../files/port.ts'
import type { Telemetry } from './start-telemetry.ts'

const WAITS = [0.01, 0.1, 0.5, 1, 2.5, 5, 10, 20, 30]

/** Calls to the file store: how each ended, and how long it waited for our own pace. */
export function fileStoreMetrics({ meter }: Pick<Telemetry, 'meter'>): FileStoreMetrics {
  const calls = meter.createCounter('guidon_file_store_calls_total', {
    description: 'Calls by the status of their answer, `none` without one, `own_pace` if not made',
  })
  const wait = meter.createHistogram('guidon_file_store_pace_wait_seconds', {
    description: 'How long a call waited for its turn under the limits of the file store',
    advice: { explicitBucketBoundaries: WAITS },
  })
  // A series that begins with its first event hides that event from a rate.
  for (const outcome of ['429', 'none', 'own_pace']) calls.add(0, { outcome })
  return {
    ended: (outcome) => calls.add(1, { outcome }),
    waited: (seconds) => wait.record(seconds),
  }
}

/** The same scanner, watched. */
export function countScans({ meter }: Pick<Telemetry, 'meter'>, scanner: Scanner): Scanner {
  const scans = meter.createCounter('guidon_scans_total', {
    description: 'Uploaded files by what the malware scanner said, `down` where it said nothing',
  })
  scans.add(0, { outcome: 'down' })
  return {
    scan: async (path) => {
      try {
        const found = await scanner.scan(path)
        scans.add(1, { outcome: found })
        return found
      } catch (error) {
        scans.add(1, { outcome: 'down' })
        throw error
      }
    },
  }
}

/** Asked by the scrape itself, so that it is known before a veteran's upload finds out. */
export function reportScanner({ gauges }: Pick<Telemetry, 'gauges'>, scanner: Clamd): void {
  gauges.add({
    what: 'scanner',
    gauges: { guidon_scanner_up: 'Whether the malware scanner answers: 1 or 0' },
    read: async () => ({ guidon_scanner_up: Number(await scanner.alive()) }),
  })
}
