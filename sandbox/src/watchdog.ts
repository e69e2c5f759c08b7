import { spawn } from 'node:child_process'

/**
 * Ends `target` when this process goes away without having said so, even by SIGKILL: the system
 * closes our end of the pipe, the little shell reads the end of its input and sends the signal.
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
    // Out of the terminal's process group: Ctrl-C must not end the watchdog before its ward.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const gone = new Promise<void>((resolve) => {
    shell.once('exit', () => resolve())
    shell.once('error', () => resolve())
  })
  shell.stdin.on('error', () => {})
  shell.unref()

  return {
    async release() {
      shell.ref()
      shell.stdin.end('released\n')
      await gone
    },
  }
}
