import * as z from 'zod/mini'

/** What the operator typed cannot be done; told without a stack. */
export class UsageError extends Error {}

export const noAccount = (address: string) =>
  new UsageError(`There is no account with the email ${address}.`)

export function parsed<S extends z.ZodMiniType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new UsageError(`Not accepted:\n${lines.join('\n')}`)
}
