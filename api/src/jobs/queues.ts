import type { Pool } from 'pg'
import { fromKysely, PgBoss } from 'pg-boss'
import type { ConstructorOptions } from 'pg-boss'
import type { z } from 'zod'
import { APP_ROLE } from '../db/database.ts'
import type { Tx } from '../db/database.ts'
import type { Log } from '../platform/log.ts'
import type { Job } from './job.ts'

/** The smallest value that pg-boss allows. A job whose worker died is retried after it, and a user may wait for a code. */
const HEARTBEAT_SECONDS = 10

/** While the database is unreachable, pg-boss reports every poll of every queue. */
const SAME_ERROR_AFTER_MS = 30_000

const DAY_SECONDS = 24 * 3600
const KEEP_WAITING_SECONDS = 14 * DAY_SECONDS
const KEEP_DEAD_SECONDS = 30 * DAY_SECONDS
const KEEP_DONE_SECONDS = 7 * DAY_SECONDS

const deadLetterOf = (job: Pick<Job, 'name'>) => `${job.name}.dead`

interface SendOptions {
  afterSeconds?: number
  /**
   * The job's position among the waiting jobs of its account, from 1. All first jobs run before all second
   * jobs, so that an account with hundreds of jobs does not delay the others.
   */
  turn?: number
}

export interface Jobs {
  /** Enqueues in the caller's transaction, so that the job exists only if the transaction commits. */
  send<Data extends z.ZodType>(
    job: Job<Data>,
    data: z.input<Data>,
    tx: Tx,
    options?: SendOptions,
  ): Promise<void>
}

export interface Queues extends Jobs {
  stop(): Promise<void>
}

export function createBoss(options: ConstructorOptions, log: Log): PgBoss {
  const boss = new PgBoss(options)
  boss.on('error', logSometimes(log))
  return boss
}

/** Logs the same error every half a minute, with the count of those that were not logged in between. */
function logSometimes(log: Log): (err: Error & { code?: string }) => void {
  const seen = new Map<string, { loggedAt: number; count: number }>()
  return (err) => {
    const key = err.code ?? err.stack ?? ''
    const { loggedAt = -Infinity, count = 0 } = seen.get(key) ?? {}
    const now = performance.now()
    const isDue = now - loggedAt >= SAME_ERROR_AFTER_MS
    if (isDue) log.error({ err, count }, 'jobs: queue error')
    seen.set(key, isDue ? { loggedAt: now, count: 0 } : { loggedAt, count: count + 1 })
  }
}

/** For the API: uses its pool, and supervises nothing. */
export async function openJobQueues(pool: Pool, log: Log): Promise<Queues> {
  const db = { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) }
  const boss = createBoss({ db, supervise: false, schedule: false, migrate: false }, log)
  await boss.start()
  return {
    send: async (job, data, tx, { afterSeconds = 0, turn = 1 } = {}) =>
      void (await boss.send(job.name, data as object, {
        db: fromKysely(tx),
        startAfter: afterSeconds,
        // A higher priority runs first; 0 is the default.
        priority: 1 - turn,
      })),
    stop: () => boss.stop({ graceful: false }),
  }
}

/** Creates or upgrades pg-boss's own schema and the queues; safe for concurrent starters. */
export async function migrateQueues(url: string, jobs: readonly Job[], log: Log): Promise<void> {
  const boss = createBoss({ connectionString: url, supervise: false, schedule: false, max: 1 }, log)
  await boss.start()
  for (const job of jobs) {
    const options = {
      ...job.options,
      retryBackoff: true,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      notify: job.batchSize === undefined,
      deadLetter: deadLetterOf(job),
      retentionSeconds: KEEP_WAITING_SECONDS,
      deleteAfterSeconds: KEEP_DONE_SECONDS,
    }
    const dead = { retentionSeconds: KEEP_DEAD_SECONDS }
    await boss.createQueue(deadLetterOf(job), dead)
    await boss.updateQueue(deadLetterOf(job), dead)
    await boss.createQueue(job.name, options)
    await boss.updateQueue(job.name, options)
    if (job.every) await boss.schedule(job.name, job.every)
  }
  await grantToAppRole(boss)
  await boss.stop({ graceful: false })
}

/** The names of jobs that have no queue yet. */
export async function missingQueues(pool: Pool, jobs: readonly Job[]): Promise<string[]> {
  const { rows: tables } = await pool.query<{ exists: boolean }>(
    `select to_regclass('pgboss.queue') is not null as exists`,
  )
  const names = jobs.map(({ name }) => name)
  if (!tables[0]!.exists) return names
  const { rows } = await pool.query<{ name: string }>('select name from pgboss.queue')
  return names.filter((name) => rows.every((row) => row.name !== name))
}

async function grantToAppRole(boss: PgBoss): Promise<void> {
  const kinds = ['tables', 'sequences', 'functions']
  const grants = kinds.map((kind) => `grant all on all ${kind} in schema pgboss to ${APP_ROLE};`)
  // One query string is one transaction, so concurrent starters run one after the other.
  await boss.getDb().executeSql(
    `select pg_advisory_xact_lock(hashtext('guidon.queues'));
     grant usage on schema pgboss to ${APP_ROLE}; ${grants.join(' ')}`,
  )
}

export interface QueueState {
  name: string
  /** Waiting, waiting for a retry, or running. */
  unfinished: number
  /** Failed; kept for thirty days so that an operator can send them again. */
  dead: number
  /** Failed because the other system refused them; sending them again does not help. */
  refused: number
  /** How long the oldest waiting job has been due; 0 if none is. */
  oldestSeconds: number
}

/**
 * pg-boss has an index for waiting jobs only. `counted` is exact but scans finished jobs too; `cached` is the
 * count that its supervisor stores every few seconds.
 */
const ACTIVE_JOBS = {
  counted: `select name, count(*)::int as jobs from pgboss.job where state = 'active' group by name`,
  cached: `select name, active_count as jobs from pgboss.queue`,
}

export interface QueueControl {
  states(active?: keyof typeof ACTIVE_JOBS): Promise<QueueState[]>
  /** Puts the failed jobs of a queue back into it. Returns the count. */
  sendAgain(queue: string): Promise<number>
}

export function queueControl(pool: Pool, url: string, log: Log): QueueControl {
  return {
    states: (active = 'counted') => queueStates(pool, active),
    sendAgain: (queue) => sendAgain(url, queue, log),
  }
}

async function queueStates(pool: Pool, active: keyof typeof ACTIVE_JOBS): Promise<QueueState[]> {
  const { rows } = await pool.query<QueueState>(
    `with not_started as materialized (
       select name, count(*)::int as jobs,
         count(*) filter (where source_output ->> 'outcome' = 'refused')::int as refused,
         extract(epoch from now() - min(start_after) filter (where start_after <= now())) as seconds
       from pgboss.job where state < 'active' and not blocked group by name),
     active as materialized (${ACTIVE_JOBS[active]})
     select queue.name, coalesce(waiting.jobs, 0) + coalesce(active.jobs, 0) as unfinished,
       coalesce(dead.jobs - dead.refused, 0) as dead, coalesce(dead.refused, 0) as refused,
       coalesce(waiting.seconds, 0)::float8 as "oldestSeconds"
     from pgboss.queue
       left join not_started as waiting on waiting.name = queue.name
       left join active on active.name = queue.name
       left join not_started as dead on dead.name = queue.dead_letter
     where queue.dead_letter is not null order by queue.name`,
  )
  return rows
}

async function sendAgain(url: string, name: string, log: Log): Promise<number> {
  const boss = createBoss(
    { connectionString: url, supervise: false, schedule: false, migrate: false, max: 1 },
    log,
  )
  await boss.start()
  try {
    return await boss.redrive(deadLetterOf({ name }))
  } finally {
    await boss.stop({ graceful: false })
  }
}
