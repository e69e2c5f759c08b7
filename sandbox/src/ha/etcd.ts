import type { HttpsClient } from './https-json.ts'
import type { EtcdPlan } from './plan.ts'
import { signalBelow } from './processes-below.ts'

const encode = (text: string) => Buffer.from(text).toString('base64')

export class Etcd {
  readonly plan: EtcdPlan
  isRunning = false
  readonly #start: () => void

  constructor(plan: EtcdPlan, start: () => void) {
    this.plan = plan
    this.#start = start
  }

  start(): void {
    this.#start()
    this.isRunning = true
  }

  kill(): void {
    signalBelow(this.plan.folder, 'SIGKILL')
    this.isRunning = false
  }

  /** Ends the lease of the primary, as its expiry would. Over etcd's HTTP gateway, which takes keys in base64. */
  async revokeLease(call: HttpsClient, scope: string): Promise<void> {
    const { clientPort } = this.plan
    const key = encode(`/service/${scope}/leader`)
    const { body } = await call(clientPort, '/v3/kv/range', { key })
    const { kvs = [] } = JSON.parse(body) as { kvs?: { lease: string }[] }
    if (kvs[0]) await call(clientPort, '/v3/lease/revoke', { ID: kvs[0].lease })
  }
}
