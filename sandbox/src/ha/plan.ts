import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'

export interface HaOptions {
  /** Database machines. */
  nodes: number
  /**
   * Members of the etcd cluster. If as many as `nodes`, each runs on a database machine and is killed with it; else on
   * machines of their own.
   */
  etcds: number
  /**
   * Replaces values of `bootstrap.dcs` in deploy/ha/patroni.yml. A proof sets unsafe ones to show that it detects lost
   * writes.
   */
  dcs?: Record<string, boolean | number | string>
}

export interface EtcdPlan {
  name: string
  folder: string
  clientPort: number
  peerPort: number
  metricsPort: number
}

export interface NodePlan {
  name: string
  /** Of the machine. */
  folder: string
  postgresPort: number
  patroniPort: number
}

export interface HaPlan {
  folder: string
  /** Unique, so that a process of another run cannot join. */
  scope: string
  passwords: Record<'superuser' | 'replication' | 'rewind' | 'owner' | 'web', string>
  etcds: readonly EtcdPlan[]
  nodes: readonly NodePlan[]
  ports: { primary: number; replicas: number; pooler: number }
}

/** Chooses the folders, ports and passwords of a new cluster. */
export async function planCluster({ nodes, etcds }: HaOptions): Promise<HaPlan> {
  const taken = new Set<number>()
  const port = async () => {
    let candidate = await freePort()
    while (taken.has(candidate)) candidate = await freePort()
    taken.add(candidate)
    return candidate
  }
  const password = () => randomBytes(18).toString('base64url')
  const folder = mkdtempSync(join(tmpdir(), 'guidon-ha-'))
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  const plan = {
    folder,
    scope: `guidon-${randomBytes(6).toString('hex')}`,
    passwords: {
      superuser: password(),
      replication: password(),
      rewind: password(),
      owner: password(),
      web: password(),
    },
    etcds: [] as EtcdPlan[],
    nodes: [] as NodePlan[],
    ports: { primary: await port(), replicas: await port(), pooler: await port() },
  }
  for (const number of numbers(etcds)) {
    plan.etcds.push({
      name: `db-${number}`,
      folder: etcds === nodes ? join(folder, `db-${number}/etcd`) : join(folder, `etcd-${number}`),
      clientPort: await port(),
      peerPort: await port(),
      metricsPort: await port(),
    })
  }
  for (const number of numbers(nodes)) {
    plan.nodes.push({
      name: `db-${number}`,
      folder: join(folder, `db-${number}`),
      postgresPort: await port(),
      patroniPort: await port(),
    })
  }
  return plan
}
