import type { CheckerBounds, Checkers } from '../files/checks/checkers.ts'
import type { Clamd, Scanner } from '../files/checks/clamd.ts'
import type { FileStoreMetrics } from '../files/port.ts'
import type { Telemetry } from './start-telemetry.ts'

const WAIT_BUCKETS = [0.01, 0.1, 0.5, 1, 2.5, 5, 10, 20, 30]

export function fileStoreMetrics({ meter }: Pick<Telemetry, 'meter'>): FileStoreMetrics {
  const calls = meter.createCounter('guidon_file_store_calls_total', {
    description:
      'Calls by status of the response; `none` without a response, `own_pace` if our rate limit refused it',
  })
  const wait = meter.createHistogram('guidon_file_store_pace_wait_seconds', {
    description: 'How long calls waited for our own rate limit',
    advice: { explicitBucketBoundaries: WAIT_BUCKETS },
  })
  // Start at 0, because Prometheus' `rate()` ignores the first value of a series.
  for (const outcome of ['429', 'none', 'own_pace']) calls.add(0, { outcome })
  return {
    ended: (outcome) => calls.add(1, { outcome }),
    waited: (seconds) => wait.record(seconds),
  }
}

export function countCrmCalls<Purpose extends string>(
  { meter }: Pick<Telemetry, 'meter'>,
  purposes: readonly Purpose[],
): (purpose: Purpose) => void {
  const calls = meter.createCounter('guidon_crm_calls_total', {
    description: 'Calls of the CRM that count against its quota, by purpose',
  })
  for (const purpose of purposes) calls.add(0, { purpose })
  return (purpose) => calls.add(1, { purpose })
}

/** Of this process, so that a worker with another release or mapping reports its own state. */
export function reportCrmState(
  { gauges }: Pick<Telemetry, 'gauges'>,
  crm: { isStopped(): boolean },
): void {
  gauges.add({
    sourceName: 'crm state',
    gauges: {
      guidon_crm_stopped:
        'Whether the CRM lacks what the portal uses, so that it is not used: 1 or 0',
    },
    read: () => ({ guidon_crm_stopped: Number(crm.isStopped()) }),
  })
}

export function countScans({ meter }: Pick<Telemetry, 'meter'>, scanner: Scanner): Scanner {
  const scans = meter.createCounter('guidon_scans_total', {
    description: 'Scanned files by result; `down` if the scanner did not respond',
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

/** Checked at each scrape, so that an outage is reported before an upload fails. */
export function reportScanner({ gauges }: Pick<Telemetry, 'gauges'>, scanner: Clamd): void {
  gauges.add({
    sourceName: 'scanner',
    gauges: {
      guidon_scanner_up: 'Whether the malware scanner responds: 1 or 0',
      guidon_scanner_signatures_timestamp_seconds: 'When the signatures were published, Unix time',
    },
    read: async () => {
      const [isAlive, from] = await Promise.all([scanner.alive(), scanner.signaturesFrom()])
      return {
        guidon_scanner_up: Number(isAlive),
        guidon_scanner_signatures_timestamp_seconds: from ? from.getTime() / 1000 : null,
      }
    },
  })
}

export function countInspections(
  { meter }: Pick<Telemetry, 'meter'>,
  checkers: Checkers,
): Checkers {
  const inspections = meter.createCounter('guidon_inspections_total', {
    description:
      'Inspected files by result; `down` if no checker gave an answer, or the inspection failed',
  })
  inspections.add(0, { outcome: 'down' })
  return {
    inspect: async (...file) => {
      try {
        const found = await checkers.inspect(...file)
        inspections.add(1, { outcome: 'refusal' in found ? found.refusal.code : 'accepted' })
        return found
      } catch (error) {
        inspections.add(1, { outcome: 'down' })
        throw error
      }
    },
  }
}

/** Checked at each scrape, so that an outage is reported before an upload fails. */
export function reportCheckers(
  { gauges }: Pick<Telemetry, 'gauges'>,
  checkers: CheckerBounds,
): void {
  gauges.add({
    sourceName: 'checkers',
    gauges: {
      guidon_checkers: 'Number of file checkers that this API may ask',
      guidon_checkers_up: 'Number of these that respond',
    },
    read: async () => {
      const all = await checkers.bounds()
      return { guidon_checkers: all.length, guidon_checkers_up: all.filter(Boolean).length }
    },
  })
}
