import { endpoints } from '@guidon/contract/endpoints'
import type { Database } from '../../api/src/db/database.ts'
import type { Feature, ServerParts, WorkerParts } from '../../api/src/features/feature.ts'
import {
  commandsOf,
  encryptedOf,
  exportsOf,
  jobsOf,
  retentionOf,
} from '../../api/src/main/compose/merge-features.ts'
import { bareApp } from './bare-app.ts'

/** Facts from the database, the contract and the operator docs that the features must match. */
export interface Facts {
  db: Database
  server: ServerParts
  worker: WorkerParts
  /** Any account: only the names of its exported parts are checked. */
  userId: string
  tables: readonly {
    name: string
    isEncrypted: boolean
    /** Whether deleting an account deletes its rows in this table. */
    cascades: boolean
  }[]
  outboxKinds: readonly string[]
  /** Metrics that alert rules, dashboards and runbooks name, without those that `telemetry/` records. */
  namedGauges: readonly string[]
  documentedCommands: readonly string[]
}

/** Cheap checks first, because the tests run them for each entry of each feature. */
const CHECKS: readonly ((
  features: readonly Feature[],
  facts: Facts,
) => string[] | Promise<string[]>)[] = [
  jobProblems,
  tableProblems,
  gaugeProblems,
  commandProblems,
  exportProblems,
  routeProblems,
]

/**
 * Returns what is missing or superfluous in a set of features according to the first check that finds something; empty
 * if the set is complete.
 */
export async function featureProblems(
  features: readonly Feature[],
  facts: Facts,
): Promise<string[]> {
  for (const check of CHECKS) {
    const problems = await check(features, facts)
    if (problems.length > 0) return problems
  }
  return []
}

/** `expected` and `actual` must have the same elements, each once. */
function differences(what: string, expected: readonly string[], actual: readonly string[]) {
  const duplicates = actual.filter((name, index) => actual.indexOf(name) !== index)
  return [
    ...expected.filter((name) => !actual.includes(name)).map((name) => `${what} missing: ${name}`),
    ...actual.filter((name) => !expected.includes(name)).map((name) => `${what} unknown: ${name}`),
    ...duplicates.map((name) => `${what} declared twice: ${name}`),
  ]
}

async function routeProblems(features: readonly Feature[], { server }: Facts) {
  const app = await bareApp({ publicUrl: 'http://localhost:4000' })
  try {
    for (const { serve } of features) serve?.(app, server)
    await app.ready()
    return Object.entries(endpoints)
      .filter(([, endpoint]) => !app.bound.has(endpoint))
      .map(([name]) => `route missing: ${name}`)
  } finally {
    await app.close()
  }
}

function jobProblems(features: readonly Feature[], { worker, outboxKinds }: Facts) {
  const declared = jobsOf(features).map(({ name }) => name)
  const worked = features.flatMap(({ work }) => (work?.(worker) ?? []).map(({ job }) => job.name))
  const sent = features.flatMap(({ crm }) => Object.keys(crm?.(worker) ?? {}))
  return [
    ...differences('worker of a job', declared, worked),
    ...differences('sender of an outbox kind', outboxKinds, sent),
    ...differences('job', worked, declared),
  ]
}

function tableProblems(features: readonly Feature[], { tables }: Facts) {
  const rules = features.flatMap((feature) => Object.entries(feature.tables ?? {}))
  const encrypted = Object.keys(encryptedOf(features))
  const swept = new Set(retentionOf(features).map(({ table }) => table))
  const names = (list: Facts['tables']) => list.map(({ name }) => name)
  const wrongCascade = rules.filter(
    ([name, rule]) =>
      'erase' in rule &&
      rule.erase === 'cascade' &&
      !tables.some((table) => table.name === name && table.cascades),
  )
  return [
    ...differences(
      'classification of a table',
      names(tables),
      rules.map(([name]) => name),
    ),
    ...differences(
      'encrypted table',
      names(tables.filter(({ isEncrypted }) => isEncrypted)),
      encrypted,
    ),
    ...rules
      .filter(([, rule]) => !('noPersonalData' in rule) && !('export' in rule && 'erase' in rule))
      .map(([name]) => `classification incomplete: ${name}`),
    ...wrongCascade.map(([name]) => `${name} is not deleted with its account`),
    ...rules
      .filter(
        ([name, { retention }]) =>
          !retention || (typeof retention !== 'string' && !swept.has(name)),
      )
      .map(([name]) => `retention missing: ${name}`),
  ]
}

async function exportProblems(features: readonly Feature[], { db, worker, userId }: Facts) {
  const parts = features.flatMap(({ tables = {} }) =>
    Object.values(tables).flatMap((rule) =>
      'export' in rule && !rule.export.startsWith('not exported: ') ? [rule.export] : [],
    ),
  )
  const exported = await db.transaction().execute(async (tx) => {
    const names: string[] = []
    for (const part of exportsOf(features, worker)) {
      names.push(...Object.keys(await part.read(tx, userId)))
    }
    return names
  })
  return differences('part of the export', [...new Set(parts)], exported)
}

function gaugeProblems(features: readonly Feature[], { db, namedGauges }: Facts) {
  const queues = { states: async () => [], sendAgain: async () => 0 }
  const gauges = features.flatMap((feature) =>
    (feature.gauges?.({ db, queues }) ?? []).flatMap((source) => Object.keys(source.gauges)),
  )
  return differences('gauge', namedGauges, gauges)
}

function commandProblems(features: readonly Feature[], { documentedCommands }: Facts) {
  return [
    ...differences('command', documentedCommands, Object.keys(commandsOf(features))),
    ...features
      .filter(({ admin, commands }) => Boolean(admin) !== Boolean(commands))
      .map(({ name }) => `${name} has commands without services, or services without commands`),
  ]
}
