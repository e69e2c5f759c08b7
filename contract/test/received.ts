import * as z from 'zod/mini'
import { endpoints } from '../src/endpoints.ts'

/** Every input of the API, for tests that send hostile values. */

const PARTS = ['params', 'query', 'body', 'form'] as const
export type Part = (typeof PARTS)[number]

/** Schemas of bodies, forms, queries and path parameters. */
export const receivedSchemas = Object.entries(endpoints).flatMap(([name, endpoint]) =>
  PARTS.flatMap((part) => {
    const schema = endpoint[part]
    return schema ? [{ name, endpoint, part, schema }] : []
  }),
)

export type Schema = z.core.$ZodType & { def?: unknown }

export interface Field {
  path: readonly string[]
  schema: Schema
}

export const defOf = (schema: Schema) => (schema as { def: z.core.$ZodTypes['_zod']['def'] }).def

/** Every field of a schema that is not itself an object. */
export function fieldsOf(schema: Schema, path: readonly string[] = []): Field[] {
  const def = defOf(schema)
  if (def.type === 'object') {
    return Object.entries(def.shape).flatMap(([key, field]) => fieldsOf(field, path.concat(key)))
  }
  if ('innerType' in def) return fieldsOf(def.innerType, path)
  return def.type === 'pipe' ? fieldsOf(def.in, path) : [{ path, schema }]
}

export const accepts = (schema: Schema, value: unknown): boolean =>
  z.safeParse(schema, value).success

export const HOSTILE_LENGTH = 64 * 1024
const repeated = (piece: string) => piece.repeat(HOSTILE_LENGTH / piece.length)

/** Texts that make a careless regular expression backtrack. */
export const HOSTILE_TEXTS: readonly string[] = [
  `a@${repeated('.')}@`,
  repeated('a@'),
  repeated('@.'),
  `a@a${repeated('.a')}@`,
  repeated(' '),
  `x${repeated(' ')}x`,
  repeated('a'),
  repeated('1'),
  `${repeated('1')}-`,
  repeated('-1'),
  repeated('\0'),
  repeated('\n'),
  repeated('\u0301\u0323'),
  repeated('\ufdfa'),
  repeated('\ud800'),
  repeated('İ'),
  repeated('a1B!'),
  repeated('/\\'),
  repeated('👩‍🚀'),
]

const objectOf = (path: readonly string[], value: unknown): unknown =>
  path.length === 0 ? value : { [path[0]!]: objectOf(path.slice(1), value) }

/** The minimum of several runs, which other processes change little. */
function fastestMs(task: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const before = performance.now()
    task()
    return performance.now() - before
  })
  return Math.min(...times)
}

/** CPU time is counted in ticks of some milliseconds, so a task is repeated for this long. */
const CPU_RUN_MS = 50

/** The CPU time of this thread for one run on average: other processes do not change it. */
function cpuMs(task: () => unknown): number {
  const started = performance.now()
  const before = process.threadCpuUsage()
  let runs = 0
  do {
    task()
    runs += 1
  } while (performance.now() - started < CPU_RUN_MS)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000 / runs
}

/** The CPU time for the slowest hostile text, in one field or in all of them. */
export function slowestMs(schema: Schema): number {
  const fields = fieldsOf(schema)
  const inputs = HOSTILE_TEXTS.flatMap((text) =>
    fields
      .map(({ path }) => objectOf(path, text))
      .concat(Object.fromEntries(fields.map(({ path }) => [path[0]!, text]))),
  )
  const check = (input: unknown) => () => z.safeParse(schema, input)
  const timed = inputs.map((input) => ({ input, ms: fastestMs(check(input)) }))
  const slowest = timed.reduce((first, second) => (second.ms > first.ms ? second : first))
  return cpuMs(check(slowest.input))
}
