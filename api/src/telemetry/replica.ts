import type { Telemetry } from './start-telemetry.ts'

export function countReplicaFallbacks({ meter }: Pick<Telemetry, 'meter'>): () => void {
  const fallbacks = meter.createCounter('guidon_replica_fallbacks_total', {
    description: 'Reads for the replica that were sent to the primary',
  })
  fallbacks.add(0)
  return () => fallbacks.add(1)
}
