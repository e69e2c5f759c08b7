import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { endpoints } from '@guidon/contract/endpoints'
import { bareApp } from '@guidon/tests/bare-app'
import { boot } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { afterAll, describe, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import type { Feature, ServerParts, WorkerParts } from '../features/feature.ts'
import { createLog } from '../platform/log.ts'
import { commandsPage, GENERAL_COMMANDS } from './admin-help.ts'
import { features } from './features.ts'
import { commandsOf, encryptedOf, exportsOf, jobsOf, retentionOf } from './merge-features.ts'
import { openServerParts } from './server-parts.ts'
import { openWorkerParts } from './worker-parts.ts'

/** Facts from the database, the contract and the operator docs that the features must match. */
interface Facts {
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
async function featureProblems(features: readonly Feature[], facts: Facts): Promise<string[]> {
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

const root = resolve(import.meta.dirname, '../../..')
const testApp = await boot({ worker: false })
const { sql, config } = testApp
const closing = new AsyncDisposableStack()
afterAll(() => closing.disposeAsync())

const ADMIN_PAGE = readFileSync(join(root, 'docs/operate/admin.md'), 'utf8')

const textOf = (folder: string, ending: RegExp) =>
  readdirSync(join(root, folder))
    .filter((name) => ending.test(name))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
    .join('\n')

const metricsIn = (text: string) => [
  ...new Set([...text.matchAll(/\bguidon_[a-z_]+/g)].map(([name]) => name)),
]

function namedGauges(): string[] {
  const telemetry = metricsIn(textOf('api/src/telemetry', /(?<!\.test)\.ts$/))
  const named = metricsIn(
    textOf('deploy/monitoring', /./) + textOf('docs/operate', /^(monitoring|runbooks)\.md$/),
  )
  const plain = named.map((name) => name.replace(/_(bucket|sum|count)$/, ''))
  return [...new Set(plain)].filter((name) => !telemetry.includes(name))
}

async function facts(): Promise<Facts> {
  const log = createLog('silent', 'test')
  const tables = await sql.query<Facts['tables'][number]>(`
    with recursive owned(id) as (
      select 'users'::regclass
      union select conrelid from pg_constraint join owned on confrelid = owned.id
      where contype = 'f' and confdeltype = 'c')
    select relname as name, pg_class.oid::regclass in (select id from owned) as cascades,
      exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'key_id')
        as "isEncrypted"
    from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
      and relname not like 'kysely%' order by relname`)
  const kinds = await sql.query<{ definition: string }>(`
    select pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = 'crm_outbox'::regclass and conname like '%kind%'`)
  const { email } = await testApp.account()
  const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [email])
  const documented = [...ADMIN_PAGE.matchAll(/^## `(.+)`$/gm)].map(([, command]) => command!)
  return {
    db: databaseAt(config.DATABASE_URL, 1),
    server: (await openServerParts(closing, config, log)).parts,
    worker: (await openWorkerParts(closing, config, features, log)).parts,
    userId: rows[0]!.id,
    tables: tables.rows,
    outboxKinds: [...kinds.rows[0]!.definition.matchAll(/'(\w+)'::/g)].map(([, kind]) => kind!),
    namedGauges: namedGauges(),
    documentedCommands: documented.filter((name) => !(name in GENERAL_COMMANDS)),
  }
}

/** Copies of a feature, each without one entry, with the name of that entry. */
function* withoutOneEntry(feature: Feature): Generator<[removed: string, feature: Feature]> {
  const { jobs = [], tables = {}, encrypted = {}, commands = {}, work, crm, gauges } = feature
  const without = (record: object, key: string) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))
  for (const entry of Object.keys(feature).filter((key) => key !== 'name')) {
    yield [entry, without(feature, entry) as unknown as Feature]
  }
  for (const job of jobs) {
    yield [`job ${job.name}`, { ...feature, jobs: jobs.filter((other) => other !== job) }]
    if (!work) continue
    const others = (parts: Parameters<typeof work>[0]) =>
      work(parts).filter((done) => done.job.name !== job.name)
    yield [`worker of ${job.name}`, { ...feature, work: others }]
  }
  for (const [table, rule] of Object.entries(tables)) {
    yield [`table ${table}`, { ...feature, tables: without(tables, table) }]
    for (const key of Object.keys(rule)) {
      const changed = { ...tables, [table]: without(rule, key) }
      yield [`${key} of ${table}`, { ...feature, tables: changed }]
    }
  }
  for (const table of Object.keys(encrypted)) {
    yield [`encrypted ${table}`, { ...feature, encrypted: without(encrypted, table) }]
  }
  for (const command of Object.keys(commands)) {
    yield [`command ${command}`, { ...feature, commands: without(commands, command) }]
  }
  if (crm) yield ['senders', { ...feature, crm: () => ({}) }]
  if (gauges)
    yield ['one source of gauges', { ...feature, gauges: (parts) => gauges(parts).slice(1) }]
}

describe('the features together', async () => {
  const known = await facts()

  it('have a worker for every job, a sender for every outbox kind, a route for every endpoint and a rule for every table', async () => {
    expect(await featureProblems(features, known)).toEqual([])
  })

  it.each(features.map((feature) => [feature.name, feature] as const))(
    'fail the checks if any entry of %s is missing',
    async (name, feature) => {
      const unnoticed: string[] = []
      for (const [removed, changed] of withoutOneEntry(feature)) {
        const others = features.map((other) => (other.name === name ? changed : other))
        if ((await featureProblems(others, known)).length === 0) unnoticed.push(removed)
      }
      expect(unnoticed).toEqual([])
    },
  )

  it('describe every admin command in docs/operate/admin.md', () => {
    expect(ADMIN_PAGE).toBe(commandsPage())
  })

  it('have different names', () => {
    const names = features.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
