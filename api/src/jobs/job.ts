import type { z } from 'zod'
import { withDeadline } from './deadline.ts'

/** How hard a job is tried. A worker that dies is noticed by its missing heartbeat. */
export interface JobOptions {
  retryLimit: number
  retryDelay: number
  /** The longest pause between two tries, in seconds: they double up to it. */
  retryDelayMax?: number
  expireInSeconds: number
}

/** The definition of a job, apart from its handler: the API sends by it, the worker works by it. */
export interface Job<Data extends z.ZodType = z.ZodType> {
  name: string
  data: Data
  options: JobOptions
  /** A cron line, for a job that the clock starts: once, however many workers there are. */
  every?: string
}

export function job<Data extends z.ZodType>(definition: Job<Data>): Job<Data> {
  return definition
}

export interface JobContext {
  /** The same at every delivery of one job. */
  id: string
  /** Aborts shortly before the queue would hand the job to another worker; waits end with it. */
  signal: AbortSignal
}

/** One word for how a job ended; it is stored as the job's output. */
export type Outcome = string | void

export interface Work {
  job: Job
  run(data: unknown, context: Pick<JobContext, 'id'>): Promise<Outcome>
}

/** A failure that further tries do not change: the job goes to the dead letter queue at once. */
export interface PermanentFailure extends Error {
  permanent: true
  outcome: string
}

export const isPermanent = (error: unknown): error is PermanentFailure =>
  error instanceof Error && 'permanent' in error && error.permanent === true

/** How long before its expiry a job is failed by us, so that the failure can still be stored. */
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
