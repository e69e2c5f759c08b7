import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { DatabaseClient, ROLE_OPTION } from '../db/database.ts'
import type { Log } from '../platform/log.ts'
import { isPermanent } from './job.ts'
import type { Work } from './job.ts'
import { createBoss } from './queues.ts'

/** How often a dead worker's jobs are looked for. */
const SUPERVISE_SECONDS = 5
/** New jobs are announced by NOTIFY; retries are only found by polling. */
const POLL_SECONDS = 2
/** Jobs that wait for no other system run in batches; the next batch starts when all of them have ended. */
const BATCH = 5
/** Jobs that run together are not announced, so that a poll finds those of the last second. */
const COLLECT_SECONDS = 1
/** Of the slots of one queue; between these polls, one idle slot polls for all of them. */
const SLOT_POLL_SECONDS = 60

export interface JobMetrics {
  /** Call when a job starts, and the returned function when it ends. */
  begin(job: {
    id: string
    queue: string
    /** When the job was first due; for a retry, when it was created, because pg-boss overwrites the first. */
    requestedAt: Date
    /** When this try was due. */
    dueAt: Date
  }): (outcome: 'completed' | 'failed') => void
}

export interface JobWorker {
  /** Runs the jobs of these queues until the returned function is called, which waits for running jobs. */
  work(works: readonly Work[]): Promise<() => Promise<void>>
  /** Stops all queues; waits for running jobs. */
  stop(): Promise<void>
}

interface WorkerContext {
  boss: PgBoss
  log: Log
  metrics: JobMetrics | undefined
  stopping: AbortController
}

/** pg-boss passes them to its pool. Its type lacks `Client`. */
const poolOptions = (url: string) => ({
  connectionString: url,
  options: ROLE_OPTION,
  Client: DatabaseClient,
})

/** For the worker process. */
export async function openJobWorker(
  url: string,
  log: Log,
  metrics?: JobMetrics,
): Promise<JobWorker> {
  const boss = createBoss(
    {
      ...poolOptions(url),
      // Its own connections: statements of the queues never wait for the handlers' pool.
      max: 5,
      migrate: false,
      // Only the owner may rebuild indexes.
      reindex: false,
      useListenNotify: true,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
    },
    log,
  )
  await boss.start()
  const stopping = new AbortController()
  const context = { boss, log, metrics, stopping }
  return {
    work: async (works) => {
      const stops = await Promise.all(
        works.map((each) =>
          each.job.concurrency === undefined
            ? workInBatches(context, each)
            : workInSlots(context, each, each.job.concurrency),
        ),
      )
      return async () => void (await Promise.all(stops.map((stop) => stop())))
    },
    stop: () => {
      stopping.abort()
      return boss.stop({ graceful: true, timeout: 20_000 })
    },
  }
}

const COMMON = { perJobResults: true, includeMetadata: true } as const

async function workInBatches(context: WorkerContext, each: Work): Promise<() => Promise<void>> {
  const { boss } = context
  const options = {
    ...COMMON,
    batchSize: each.job.batchSize ?? BATCH,
    burstWhenBatchFull: true,
    pollingIntervalSeconds: each.job.batchSize ? COLLECT_SECONDS : POLL_SECONDS,
    notifyPollingIntervalSeconds: POLL_SECONDS,
  } as const
  await boss.work(each.job.name, options, (batch) =>
    Promise.all(batch.map((job) => runJob(context, each, job))),
  )
  return () => boss.offWork(each.job.name)
}

/** pg-boss fetches for each slot alone. Idle slots would multiply the polls, so one of them polls for all. */
async function workInSlots(
  context: WorkerContext,
  each: Work,
  concurrency: number,
): Promise<() => Promise<void>> {
  const { boss, stopping } = context
  const idle = new Set<string>()
  const wakeOne = () => {
    const [slot] = idle
    if (slot !== undefined) boss.notifyWorker(slot)
  }
  const options = {
    ...COMMON,
    batchSize: 1,
    pollingIntervalSeconds: SLOT_POLL_SECONDS,
    notifyPollingIntervalSeconds: SLOT_POLL_SECONDS,
  } as const
  for (let number = 0; number < concurrency; number += 1) {
    // pg-boss starts to fetch before it returns the id.
    const slot = Promise.withResolvers<string>()
    const id = await boss.work(each.job.name, options, async (batch) => {
      const own = await slot.promise
      idle.delete(own)
      // More jobs may be waiting.
      wakeOne()
      try {
        return await Promise.all(batch.map((job) => runJob(context, each, job)))
      } finally {
        idle.add(own)
        boss.notifyWorker(own)
      }
    })
    idle.add(id)
    slot.resolve(id)
  }
  const timer = setInterval(wakeOne, POLL_SECONDS * 1000)
  stopping.signal.addEventListener('abort', () => clearInterval(timer))
  return async () => {
    clearInterval(timer)
    await boss.offWork(each.job.name)
  }
}

async function runJob(
  { log, metrics }: WorkerContext,
  { job, run }: Work,
  fetched: JobWithMetadata<unknown>,
) {
  const { id, data, createdOn, startAfter, retryCount } = fetched
  const started = performance.now()
  const onEnd = metrics?.begin({
    id,
    queue: job.name,
    requestedAt: retryCount === 0 ? startAfter : createdOn,
    dueAt: startAfter,
  })
  try {
    const outcome = await run(data, { id })
    const ms = Math.round(performance.now() - started)
    log.info({ job: job.name, jobId: id, ms, outcome }, 'jobs: job completed')
    onEnd?.('completed')
    return { id, status: 'completed' as const, ...(outcome && { output: { outcome } }) }
  } catch (err) {
    log.error({ job: job.name, jobId: id, err }, 'jobs: job failed')
    onEnd?.('failed')
    if (!isPermanent(err)) return { id, status: 'failed' as const }
    return { id, status: 'deadletter' as const, output: { outcome: err.outcome } }
  }
}
