import { PostgresDidNotStart } from '../postgres/server.ts'
import { UserError } from '../user-error.ts'
import { ProcessDidNotStart } from './stack-process.ts'

/** What `npm run dev` prints when it cannot start: a stack trace only for a defect of the sandbox. */
export function startErrorText(error: unknown): string {
  // The last lines of the process are on the screen already.
  if (error instanceof ProcessDidNotStart) return `\n*** ${error.summary}. ***`
  if (error instanceof UserError || error instanceof PostgresDidNotStart) return error.message
  // The system refused something: a command that is not installed, a port, a file, a full disk.
  if (error instanceof Error && 'syscall' in error) return `Guidon did not start: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
