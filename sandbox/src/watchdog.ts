import { spawn } from 'node:child_process'
import { childExit } from './child-exit.ts'

/**
 * Signals `target` when this process ends without calling `release`, even by SIGKILL: the system
 * closes our end of the pipe, the shell reads the end of its input and sends the signal.
 * A negative target is a process group.
 */
export function endWithParent(
  target: number,
  signal: 'INT' | 'KILL',
  owner: { uid?: number; gid?: number } = {},
): { release(): Promise<void> } {
  const script = 'read -r line; [ "$line" = released ] || kill -s "$1" -- "$2" 2>/dev/null'
  const shell = spawn('/bin/sh', ['-c', script, 'sh', signal, String(target)], {
    ...owner,
    // Outside of the terminal's process group: Ctrl-C must not end the watchdog before its target.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const exited = childExit(shell)
  shell.stdin.on('error', () => {})
  shell.unref()

  return {
    async release() {
      shell.ref()
      shell.stdin.end('released\n')
      await exited
    },
  }
}
