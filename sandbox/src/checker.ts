import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { noLog } from './stack/logs.ts'
import { SCRIPTS } from './stack/options.ts'
import type { StackOptions } from './stack/options.ts'
import { StackProcess } from './stack/stack-process.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const STOP_TIMEOUT_MS = 3_000

export interface Checker {
  /** The path of its socket. */
  address: string
  /** It can be killed and started again. */
  process: StackProcess
  close(): Promise<void>
}

type CheckerOptions = Pick<
  StackOptions,
  'program' | 'scripts' | 'log' | 'onUnexpectedExit' | 'signal'
> & {
  extraArgs?: readonly string[]
  /** The user that the program switches to. */
  owner?: number | undefined
}

/** Starts the product's file checker as a process of its own, with an empty environment as in production. */
export async function startChecker({
  program,
  scripts,
  log = noLog(),
  onUnexpectedExit = () => {},
  signal,
  extraArgs = [],
  owner,
}: CheckerOptions = {}): Promise<Checker> {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-checker-'))
  const address = join(folder, 'checker.sock')
  if (owner !== undefined) chownSync(folder, owner, owner)
  const process = new StackProcess({
    name: 'checker',
    program,
    args: [
      ...(program ? [] : ['--single-threaded']),
      scripts?.checker ?? SCRIPTS.checker,
      address,
      ...extraArgs,
    ],
    cwd: ROOT,
    env: {},
    ready: { line: '"msg":"checker ready"' },
    stopTimeoutMs: STOP_TIMEOUT_MS,
    log,
    onUnexpectedExit: ({ name, lastLines }, how) => onUnexpectedExit(name, how, lastLines),
  })
  const close = async () => {
    await process.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await process.start(signal)
  } catch (error) {
    await close()
    throw error
  }
  return { address, process, close }
}
