import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Etcd } from './etcd.ts'
import type { NodePlan } from './plan.ts'
import { signalBelow } from './processes-below.ts'

/** A database machine: Patroni, its PostgreSQL, and its etcd if it has one. */
export class HaNode {
  readonly plan: NodePlan
  readonly #etcd: Etcd | undefined
  readonly #startPatroni: () => void

  constructor(plan: NodePlan, etcd: Etcd | undefined, startPatroni: () => void) {
    this.plan = plan
    this.#etcd = etcd
    this.#startPatroni = startPatroni
  }

  start(): void {
    if (this.#etcd && !this.#etcd.isRunning) this.#etcd.start()
    this.#startPatroni()
  }

  /** SIGKILL to all processes: the machine is gone. */
  kill(): void {
    signalBelow(this.plan.folder, 'SIGKILL')
    this.#etcd?.kill()
  }

  /** SIGKILL to PostgreSQL alone. */
  crash(): void {
    const lock = join(this.plan.folder, 'data/postmaster.pid')
    process.kill(Number.parseInt(readFileSync(lock, 'utf8'), 10), 'SIGKILL')
  }

  /** The machine does not respond any more, and its connections stay open. */
  freeze(): void {
    signalBelow(this.plan.folder, 'SIGSTOP')
  }

  thaw(): void {
    signalBelow(this.plan.folder, 'SIGCONT')
  }
}
