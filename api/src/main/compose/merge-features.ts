import type { Senders } from '../../crm/outbox/outbox.ts'
import type { AdminParts, Feature, NamedRetention, WorkerParts } from '../../features/feature.ts'
import type { Command } from '../../platform/command.ts'

/** Joins what the features declare into what the processes need. */

export const jobsOf = (features: readonly Feature[]) => features.flatMap(({ jobs = [] }) => jobs)

export function sendersOf(
  features: readonly Feature[],
  parts: Pick<WorkerParts, 'sealer' | 'links'>,
): Senders {
  const senders = Object.assign({}, ...features.map((feature) => feature.crm?.(parts)))
  // `features.test.ts` verifies that every kind has a sender.
  return senders as Senders
}

export const retentionOf = (features: readonly Feature[]): NamedRetention[] =>
  features.flatMap(({ tables = {} }) =>
    Object.entries(tables).flatMap(([table, { retention }]) =>
      typeof retention === 'string' ? [] : [{ table, ...retention }],
    ),
  )

export const exportsOf = (features: readonly Feature[], parts: Pick<AdminParts, 'db' | 'sealer'>) =>
  features.flatMap((feature) => feature.export?.(parts) ?? [])

export const encryptedOf = (features: readonly Feature[]): AdminParts['encrypted'] =>
  Object.assign({}, ...features.map(({ encrypted }) => encrypted))

/** The services of all features, by their names. */
export type ServicesOf<Features extends readonly Feature[]> = UnionToIntersection<
  Features[number] extends infer Each
    ? Each extends Feature<infer Services>
      ? Services
      : never
    : never
>
type UnionToIntersection<Union> = (
  Union extends unknown ? (member: Union) => void : never
) extends (all: infer All) => void
  ? All
  : never

export function servicesOf<const Features extends readonly Feature[]>(
  features: Features,
  parts: AdminParts,
): ServicesOf<Features> {
  const services = features.map(({ admin }) => admin?.(parts))
  return Object.assign({}, ...services) as ServicesOf<Features>
}

export function commandsOf(features: readonly Feature[]): Record<string, Command<object>> {
  return Object.assign({}, ...features.map(({ commands }) => commands)) as Record<
    string,
    Command<object>
  >
}
