import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { childExit } from '../child-exit.ts'
import { endWithParent } from '../watchdog.ts'
import type { Log } from './logs.ts'
import { untilReady } from './readiness.ts'
import type { Readiness } from './readiness.ts'

const LINES_KEPT = 40

/** A command and its first arguments. */
export type Program = readonly [string, ...string[]]

export const NODE: Program = [process.execPath]

export interface ProcessPlan {
  name: string
  /** Instead of this `node`. */
  program?: Program | undefined
  /** The arguments after those of the program. */
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  ready: Readiness
  /** How long the process may take to stop before it is killed. */
  stopTimeoutMs: number
  log: Log
  /** Called when the process ends without a call of `stop` or `kill`. */
  onUnexpectedExit(process: StackProcess, how: string): void
}

export class ProcessDidNotStart extends Error {
  /** The first line of the message; the last lines of the process follow it. */
  readonly summary: string

  constructor(cause: Error, lastLines: string) {
    super(`${cause.message}\n${lastLines}`, { cause })
    this.summary = cause.message
  }
}

interface Run {
  child: ChildProcess
  /** Settles when the process ends, and says how. */
  ended: Promise<string>
  exitExpected: boolean
}

/** One process of the product. It can be killed and started again under the same name and port. */
export class StackProcess {
  readonly name: string
  readonly #plan: ProcessPlan
  #run: Run | undefined
  #lines: string[] = []

  constructor(plan: ProcessPlan) {
    this.name = plan.name
    this.#plan = plan
  }

  get pid(): number | undefined {
    return this.#run?.child.pid
  }

  get running(): boolean {
    return this.#run !== undefined
  }

  get lastLines(): string {
    return this.#lines.join('\n')
  }

  /** Settles when the process is ready. */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#run !== undefined) throw new Error(`${this.name} is running already`)
    const run = this.#launch()
    const { ready } = this.#plan
    const lines = createInterface({ input: run.child.stdout! })
    const becameReady = untilReady(ready, { name: this.name, lines, ended: run.ended, signal })
    for (const stream of [lines, createInterface({ input: run.child.stderr! })]) {
      stream.on('line', (line) => this.#record(line))
    }
    try {
      await becameReady
    } catch (error) {
      await this.stop()
      throw new ProcessDidNotStart(error as Error, this.lastLines)
    }
  }

  /** Sends a signal without expecting an end: SIGSTOP, SIGCONT, SIGUSR1. */
  signal(signal: NodeJS.Signals): void {
    this.#run?.child.kill(signal)
  }

  /** Kills the process and its children, and waits for its end. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const run = this.#run
    if (run === undefined) return
    run.exitExpected = true
    signalGroup(run.child, signal)
    await run.ended
  }

  /** Stops the process gracefully, and kills it after the timeout. */
  async stop(): Promise<void> {
    const run = this.#run
    if (run === undefined) return
    run.exitExpected = true
    // A process stopped by SIGSTOP does not handle SIGTERM until it continues.
    run.child.kill('SIGCONT')
    run.child.kill('SIGTERM')
    const timer = setTimeout(() => signalGroup(run.child, 'SIGKILL'), this.#plan.stopTimeoutMs)
    await run.ended
    clearTimeout(timer)
  }

  async restart(signal?: AbortSignal): Promise<void> {
    await this.stop()
    await this.start(signal)
  }

  #launch(): Run {
    const { program = NODE, args, cwd, env } = this.#plan
    this.#lines = []
    const child = spawn(program[0], [...program.slice(1), ...args], {
      cwd,
      env,
      // In a new process group: Ctrl-C reaches only this process, which stops its children gracefully.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const watchdog = child.pid === undefined ? undefined : endWithParent(-child.pid, 'KILL')
    const run: Run = {
      child,
      exitExpected: false,
      ended: childExit(child).then(async (how) => {
        signalGroup(child, 'SIGKILL')
        await watchdog?.release()
        this.#run = undefined
        if (!run.exitExpected) this.#plan.onUnexpectedExit(this, how)
        return how
      }),
    }
    this.#run = run
    return run
  }

  #record(line: string): void {
    this.#lines.push(line)
    if (this.#lines.length > LINES_KEPT) this.#lines.shift()
    this.#plan.log.line(this.name, line)
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group is empty.
  }
}
