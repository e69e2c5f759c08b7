import { setImmediate as nextTurn } from 'node:timers/promises'
import type { z } from 'zod'
import { withDeadline } from './deadline.ts'

interface JobOptions {
  retryLimit: number
  /** In seconds. */
  retryDelay: number
  /** Delays between tries double up to this, in seconds. */
  retryDelayMax?: number
  expireInSeconds: number
}

/** The definition of a job without its handler, for the API that sends it and the worker that runs it. */
export interface Job<Data extends z.ZodType = z.ZodType> {
  name: string
  data: Data
  options: JobOptions
  /**
   * For jobs that wait for another system: how many of them a process runs at the same time, each on its own, so
   * that one that hangs delays no other.
   */
  concurrency?: number
  /** A cron expression for scheduled jobs; each run happens once, however many workers there are. */
  every?: string
  /** Up to this many jobs are collected for a second and run together, by `workBatch`. */
  batchSize?: number
}

export function job<Data extends z.ZodType>(definition: Job<Data>): Job<Data> {
  return definition
}

export interface JobContext {
  /** The same at every try of one job. */
  id: string
  /** Aborts shortly before the job expires. */
  signal: AbortSignal
}

/** How the job ended, stored as its output. */
export type Outcome = string | void

export interface Work {
  job: Job
  /** Waits in its queue while the CRM lacks something that the portal uses. */
  needsCrm?: true
  run(data: unknown, context: Pick<JobContext, 'id'>): Promise<Outcome>
}

/** A failure that a retry cannot fix: the job goes to the dead letter queue at once. */
export interface PermanentFailure extends Error {
  permanent: true
  outcome: string
}

/** Errors of libraries may have the property `permanent`, too, but no outcome. */
export const isPermanent = (error: unknown): error is PermanentFailure =>
  error instanceof Error &&
  'permanent' in error &&
  error.permanent === true &&
  'outcome' in error &&
  typeof error.outcome === 'string'

/** A job fails this long before its expiry, so that the failure can still be stored. */
const SETTLE_SECONDS = 5

export function work<Data extends z.ZodType>(
  definition: Job<Data>,
  run: (data: z.output<Data>, context: JobContext) => Promise<Outcome>,
): Work {
  const { expireInSeconds } = definition.options
  const seconds = Math.max(expireInSeconds - SETTLE_SECONDS, expireInSeconds / 2)
  return {
    job: definition,
    run: (data, context) =>
      withDeadline(seconds * 1000, (signal) =>
        run(definition.data.parse(data), { ...context, signal }),
      ),
  }
}

/** Runs the jobs that the queue hands over together as one; they succeed or fail together. */
export function workBatch<Data extends z.ZodType>(
  definition: Job<Data> & { batchSize: number },
  runAll: (data: readonly z.output<Data>[]) => Promise<Outcome>,
): Work {
  let batch: { data: z.output<Data>[]; outcome: Promise<Outcome> } | undefined
  const startBatch = () => {
    const data: z.output<Data>[] = []
    const outcome = nextTurn().then(() => {
      batch = undefined
      return runAll(data)
    })
    return { data, outcome }
  }
  return work(definition, (data) => {
    batch ??= startBatch()
    batch.data.push(data)
    return batch.outcome
  })
}

export const needingCrm = (each: Work): Work => ({ ...each, needsCrm: true })
