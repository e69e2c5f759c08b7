import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { boot } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { featureProblems } from '@guidon/tests/feature-problems'
import type { Facts } from '@guidon/tests/feature-problems'
import { afterAll, describe, expect, it } from 'vitest'
import type { Feature } from '../../features/feature.ts'
import { createLog } from '../../platform/log.ts'
import { commandsPage, GENERAL_COMMANDS } from '../admin/admin-help.ts'
import { features } from './features.ts'
import { openServerParts } from './server-parts.ts'
import { openWorkerParts } from './worker-parts.ts'

const root = resolve(import.meta.dirname, '../../../..')
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
