import type { ChildProcess } from 'node:child_process'

/** Settles when the process ends or cannot start. Describes the signal, the exit code or the error in words. */
export function childExit(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
}
