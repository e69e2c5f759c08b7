import type { z } from 'zod'

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
}

export interface Work {
  job: Job
  run(data: unknown, context: JobContext): Promise<void>
}

export function work<Data extends z.ZodType>(
  definition: Job<Data>,
  run: (data: z.output<Data>, context: JobContext) => Promise<void>,
): Work {
  return { job: definition, run: (data, context) => run(definition.data.parse(data), context) }
}
