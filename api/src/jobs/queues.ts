import type { Pool } from 'pg'
import { fromKysely, PgBoss } from 'pg-boss'
import type { ConstructorOptions } from 'pg-boss'
import type { z } from 'zod'
import { APP_ROLE, ROLE_OPTION } from '../db/database.ts'
import type { Tx } from '../db/database.ts'
import type { Log } from '../platform/log.ts'
import { isPermanent } from './job.ts'
import type { Job, Work } from './job.ts'

/** The shortest that pg-boss allows: a code by mail is waited for. */
const HEARTBEAT_SECONDS = 10
const SUPERVISE_SECONDS = 5
const BATCH = 5
/** New jobs are announced; those to be tried again are only found by looking. */
const POLL_SECONDS = 2

const DAY_SECONDS = 24 * 3600
/** A job that nobody took or that waits for its next try; longer for one that waits for an operator. */
const KEEP_WAITING_SECONDS = 14 * DAY_SECONDS
const KEEP_DEAD_SECONDS = 30 * DAY_SECONDS
/** A job carries ids only; for a week one can see what was done. */
const KEEP_DONE_SECONDS = 7 * DAY_SECONDS

const deadLetterOf = (job: Pick<Job, 'name'>) => `${job.name}.dead`

export interface SendOptions {
  afterSeconds?: number
  /**
   * Which one it is of those that its account has waiting, from 1. All first ones go before all second
   * ones, so that an account with hundreds does not hold up the others.
   */
  turn?: number
}

export interface Jobs {
  /** Enqueues inside the caller's transaction: the job exists exactly if the business row does. */
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

function createBoss(options: ConstructorOptions, log: Log): PgBoss {
  const boss = new PgBoss(options)
  boss.on('error', (err) => log.error({ err }, 'queue failed'))
  return boss
}

/** For the API: sends over the pool it already has, supervises nothing. */
export async function openSender(pool: Pool, log: Log): Promise<Queues> {
  const db = { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) }
  const boss = createBoss({ db, supervise: false, schedule: false, migrate: false }, log)
  await boss.start()
  return {
    send: async (job, data, tx, { afterSeconds = 0, turn = 1 } = {}) =>
      void (await boss.send(job.name, data as object, {
        db: fromKysely(tx),
        startAfter: afterSeconds,
        // 0 for the first, as jobs without a turn have; higher ones go first.
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
      notify: true,
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
  await grantTo(boss)
  await boss.stop({ graceful: false })
}

/** The processes work under a role that does not own the tables. */
async function grantTo(boss: PgBoss): Promise<void> {
  const kinds = ['tables', 'sequences', 'functions']
  const grants = kinds.map((kind) => `grant all on all ${kind} in schema pgboss to ${APP_ROLE};`)
  // One query string is one transaction; starters at the same moment take turns.
  await boss.getDb().executeSql(
    `select pg_advisory_xact_lock(hashtext('guidon.queues'));
     grant usage on schema pgboss to ${APP_ROLE}; ${grants.join(' ')}`,
  )
}

export interface JobMetrics {
  /** A worker has taken a job; what it answers is told how the job ended. */
  begin(job: {
    id: string
    queue: string
    /** When someone wanted it done, however often it was tried since. */
    askedAt: Date
    /** When this try was due. */
    dueAt: Date
  }): (outcome: 'completed' | 'failed') => void
}

/** For the worker: takes jobs until stopped, and on stop finishes those in hand. */
export async function startWorking(
  url: string,
  works: readonly Work[],
  log: Log,
  watch?: JobMetrics,
): Promise<Queues['stop']> {
  const boss = createBoss(
    {
      connectionString: url,
      options: ROLE_OPTION,
      max: 5,
      migrate: false,
      // Rebuilding indexes needs their owner.
      reindex: false,
      useListenNotify: true,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
    },
    log,
  )
  await boss.start()
  for (const { job, run } of works) {
    const options = {
      batchSize: BATCH,
      burstWhenBatchFull: true,
      perJobResults: true,
      includeMetadata: true,
      pollingIntervalSeconds: POLL_SECONDS,
      notifyPollingIntervalSeconds: POLL_SECONDS,
    } as const
    await boss.work(job.name, options, (batch) =>
      Promise.all(
        batch.map(async ({ id, data, createdOn, startAfter, retryCount }) => {
          const started = performance.now()
          const ended = watch?.begin({
            id,
            queue: job.name,
            askedAt: retryCount === 0 ? startAfter : createdOn,
            dueAt: startAfter,
          })
          try {
            const outcome = await run(data, { id })
            const ms = Math.round(performance.now() - started)
            log.info({ job: job.name, jobId: id, ms, outcome }, 'job done')
            ended?.('completed')
            return { id, status: 'completed' as const, ...(outcome && { output: { outcome } }) }
          } catch (err) {
            log.error({ job: job.name, jobId: id, err }, 'job failed')
            ended?.('failed')
            if (!isPermanent(err)) return { id, status: 'failed' as const }
            return { id, status: 'deadletter' as const, output: { outcome: err.outcome } }
          }
        }),
      ),
    )
  }
  return () => boss.stop({ graceful: true, timeout: 20_000 })
}

export interface QueueState {
  name: string
  /** Waiting, to be tried again, or in a worker's hands. */
  unfinished: number
  /** Given up; kept for thirty days, for an operator to send them again. */
  dead: number
  /** Given up because the other side refused them for good; sending them again does not help. */
  refused: number
  /** How long the job that waits longest has been due; 0 where none is. */
  oldestSeconds: number
}

/**
 * Only what waits has an index in pg-boss. Counting what is in hand reads every finished job as well; its
 * supervisor does so every few seconds, and stores the figure.
 */
const IN_HAND = {
  counted: `select name, count(*)::int as jobs from pgboss.job where state = 'active' group by name`,
  cached: `select name, active_count as jobs from pgboss.queue`,
}

/** The operator's view of the queues. */
export interface QueueControl {
  states(active?: keyof typeof IN_HAND): Promise<QueueState[]>
  /** Puts the failed jobs of a queue back into it. Returns the count. */
  sendAgain(queue: string): Promise<number>
}

export function queueControl(pool: Pool, url: string, log: Log): QueueControl {
  return {
    states: (active = 'counted') => queueStates(pool, active),
    sendAgain: (queue) => sendAgain(url, queue, log),
  }
}

async function queueStates(pool: Pool, inHand: keyof typeof IN_HAND): Promise<QueueState[]> {
  const { rows } = await pool.query<QueueState>(
    `with waiting as materialized (
       select name, count(*)::int as jobs,
         count(*) filter (where source_output ->> 'outcome' = 'refused')::int as refused,
         extract(epoch from now() - min(start_after) filter (where start_after <= now())) as seconds
       from pgboss.job where state < 'active' and not blocked group by name),
     in_hand as materialized (${IN_HAND[inHand]})
     select queue.name, coalesce(waiting.jobs, 0) + coalesce(in_hand.jobs, 0) as unfinished,
       coalesce(dead.jobs - dead.refused, 0) as dead, coalesce(dead.refused, 0) as refused,
       coalesce(waiting.seconds, 0)::float8 as "oldestSeconds"
     from pgboss.queue
       left join waiting on waiting.name = queue.name
       left join in_hand on in_hand.name = queue.name
       left join waiting dead on dead.name = queue.dead_letter
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
