import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { endWithParent } from '../watchdog.ts'
import type { Log } from './logs.ts'
import { untilReady } from './readiness.ts'
import type { Readiness } from './readiness.ts'

const LINES_KEPT = 40

/** The first words of a command line. */
export type Program = readonly [string, ...string[]]

export const NODE: Program = [process.execPath]

export interface ProcessPlan {
  name: string
  /** What it is a script of, instead of this `node`. */
  program?: Program | undefined
  /** What follows on the command line. */
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  ready: Readiness
  /** How long it may take to finish what it does before it is killed. */
  patienceMs: number
  log: Log
  /** Called when it ends without having been asked to. */
  onDeath(process: StackProcess, how: string): void
}

export class ProcessDidNotStart extends Error {
  /** The first line of the message; the rest is the last that the process said. */
  readonly summary: string

  constructor(cause: Error, lastLines: string) {
    super(`${cause.message}\n${lastLines}`, { cause })
    this.summary = cause.message
  }
}

interface Run {
  child: ChildProcess
  /** How it ended, in words. */
  ended: Promise<string>
  asked: boolean
}

/** One process of the product. It can be killed and started again; name and place stay. */
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

  /** Settles when the process can do its work. */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#run !== undefined) throw new Error(`${this.name} is running already`)
    const run = this.#launch()
    const { ready } = this.#plan
    const lines = createInterface({ input: run.child.stdout! })
    const becameReady = untilReady(ready, { name: this.name, lines, ended: run.ended, signal })
    for (const stream of [lines, createInterface({ input: run.child.stderr! })]) {
      stream.on('line', (line) => this.#keep(line))
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

  /** Kills the process and whatever it started, and waits for its end. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const run = this.#run
    if (run === undefined) return
    run.asked = true
    signalGroup(run.child, signal)
    await run.ended
  }

  /** Lets it finish what it does; kills it when that takes too long. */
  async stop(): Promise<void> {
    const run = this.#run
    if (run === undefined) return
    run.asked = true
    // A stopped process would keep the request to end for later.
    run.child.kill('SIGCONT')
    run.child.kill('SIGTERM')
    const patience = setTimeout(() => signalGroup(run.child, 'SIGKILL'), this.#plan.patienceMs)
    await run.ended
    clearTimeout(patience)
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
      // A process group of its own: Ctrl-C reaches only us, and we stop all in good order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const watchdog = child.pid === undefined ? undefined : endWithParent(-child.pid, 'KILL')
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    })
    const run: Run = {
      child,
      asked: false,
      ended: ended.then(async (how) => {
        signalGroup(child, 'SIGKILL')
        await watchdog?.release()
        this.#run = undefined
        if (!run.asked) this.#plan.onDeath(this, how)
        return how
      }),
    }
    this.#run = run
    return run
  }

  #keep(line: string): void {
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
    // Nobody is left in it.
  }
}
