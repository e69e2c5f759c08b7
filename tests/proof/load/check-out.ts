import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

const run = (cwd: string, program: string, ...args: string[]) => {
  const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`)
}

/** Checks out a revision and installs its packages; `cleanup` removes the folder. */
export function checkOut(revision: string, cleanup: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-revision-'))
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  run(root, 'sh', '-c', 'git archive "$1" | tar -x -C "$2"', 'sh', revision, folder)
  run(folder, 'npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error')
  return folder
}
