import * as z from 'zod/mini'
import { OperatorError } from './operator-error.ts'

/** The operator's input is wrong. */
export class UsageError extends OperatorError {}

export const noAccount = (address: string) =>
  new UsageError(`There is no account with the email ${address}.`)

export function parsed<S extends z.ZodMiniType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new UsageError(`Not accepted:\n${lines.join('\n')}`)
}

/** Input and output of an admin command. */
export interface CommandLine {
  options: Record<string, string | boolean | undefined>
  /** Reads standard input to its end. */
  input(): Promise<string>
  /** Reads one line after a prompt. `hidden` shows nothing of it on a terminal, and asks twice. */
  ask(prompt: string, hidden?: 'hidden'): Promise<string>
  /** Resolves a path relative to the folder where the command was started. */
  path(typed: string): string
  print(text: string): void
  table(rows: unknown): void
}

export interface Command<Services> {
  /** The options, for the usage text. */
  usage?: string
  help: string
  /** It changes or exports data, so the audit log names the operator. */
  needsOperator?: true
  run(services: Services, line: CommandLine): Promise<void>
}
