import { setTimeout as delay } from 'node:timers/promises'
import type { HaNode } from '@guidon/sandbox/ha/node'
import { expect, it } from 'vitest'
import { figures, headline, markdownTable } from '../figures.ts'
import { fullSizeOnly, isFullSize, smallOrFull, timeLimit } from '../size.ts'
import { outcomeOf } from './failover-outcome.ts'
import { startProductOn } from './failover-product.ts'
import { SIGNED_IN_ACCOUNTS } from './failover-traffic.ts'

type Product = Awaited<ReturnType<typeof startProductOn>>

const KILLS = smallOrFull(1, 10)
const SWITCHOVERS = smallOrFull(1, 10)
const KILL_LIMIT_SECONDS = timeLimit(30)
const SWITCHOVER_LIMIT_SECONDS = timeLimit(10)
/** Acknowledged after an event, before it counts as over. */
const WRITES_TO_WAIT_FOR = smallOrFull(10, 50)
/** `ttl` in deploy/ha/patroni.yml is 20 seconds. */
const LONGER_THAN_LEASE_MS = 25_000
const rounded = (seconds: number) => Math.round(seconds * 10) / 10

interface Measured {
  event: string
  /** Seconds without an acknowledged write. */
  gap: number
  /** Seconds until every machine runs and a standby has all commits. */
  healthy: number
}

/** Causes the event under load, and returns how long no write was acknowledged. */
async function measure(
  { cluster, traffic: { tally } }: Product,
  event: string,
  cause: () => Promise<(() => void) | undefined>,
): Promise<Measured> {
  const startedAt = performance.now()
  const repair = await cause()
  await tally.untilNewWrites(WRITES_TO_WAIT_FOR)
  const gap = tally.longestGap(startedAt)
  repair?.()
  const repairedAt = performance.now()
  await cluster.untilHealthy()
  return {
    event,
    gap: rounded(gap),
    healthy: rounded((performance.now() - repairedAt) / 1000),
  }
}

async function primaryOf({ cluster }: Product): Promise<HaNode> {
  const leader = await cluster.leader()
  if (!leader) throw new Error('there is no primary')
  return leader
}

const killPrimary = (product: Product, isLeaseRevoked: boolean) => async () => {
  const killed = await primaryOf(product)
  killed.kill()
  if (isLeaseRevoked) await product.cluster.expireLease()
  return () => killed.start()
}

const otherEvents = (product: Product): Record<string, () => Promise<() => void>> => ({
  'PostgreSQL of the primary killed': async () => {
    const primary = await primaryOf(product)
    primary.crash()
    return () => {}
  },
  'machine of the primary frozen': async () => {
    const primary = await primaryOf(product)
    primary.freeze()
    return () => primary.thaw()
  },
  'machine of a standby killed': async () => {
    const [standby] = await product.cluster.standbys()
    standby!.kill()
    return () => standby!.start()
  },
  'every etcd killed': async () => {
    const { etcds } = product.cluster
    for (const etcd of etcds) etcd.kill()
    await delay(LONGER_THAN_LEASE_MS)
    return () => {
      for (const etcd of etcds) etcd.start()
    }
  },
})

it('no acknowledged write is lost or doubled when the primary dies or is switched over', async () => {
  await using parts = new AsyncDisposableStack()
  const machines = isFullSize ? { nodes: 3, etcds: 3 } : { nodes: 2, etcds: 1 }
  const product = await startProductOn(
    { ...machines, accounts: SIGNED_IN_ACCOUNTS + smallOrFull(12, 150) },
    parts,
  )
  const { cluster, traffic, stack, unexpectedExits, databaseUrl } = product
  await traffic.tally.untilNewWrites(WRITES_TO_WAIT_FOR)

  const kills: Measured[] = []
  const switchovers: Measured[] = []
  const others: Measured[] = []
  for (let round = 1; round <= KILLS; round += 1) {
    const name = isFullSize
      ? 'machine of the primary killed'
      : 'machine of the primary killed, lease revoked'
    kills.push(await measure(product, name, killPrimary(product, !isFullSize)))
  }
  for (let round = 1; round <= SWITCHOVERS; round += 1) {
    switchovers.push(
      await measure(product, 'switchover', async () => {
        await cluster.switchover()
        return undefined
      }),
    )
  }
  if (isFullSize) {
    for (const [name, cause] of Object.entries(otherEvents(product))) {
      others.push(await measure(product, name, cause))
    }
  }
  await traffic.end()
  const outcome = await outcomeOf(traffic, stack, databaseUrl)

  const measured = [...kills, ...switchovers, ...others]
  markdownTable([
    ['Event', 'Seconds without an acknowledged write', 'Seconds until all machines are back'],
    ...measured.map(({ event, gap, healthy }) => [event, gap, healthy]),
  ])
  const { tally } = traffic
  figures('a cluster under load', {
    ...traffic.figures(),
    'slowest response ms': Math.round(tally.slowestMs),
    missing: JSON.stringify(outcome.missing),
    doubled: JSON.stringify(outcome.doubled),
    'signed out': outcome.signedOut + tally.signedOut,
    'sealed audit events': outcome.auditChain.events,
    kills: kills.map(({ gap }) => gap).join(' '),
    switchovers: switchovers.map(({ gap }) => gap).join(' '),
    others: others.map(({ event, gap }) => `${event} ${gap}`).join(', '),
  })
  headline.sum({
    'kinds of writes lost or doubled': outcome.missing.length + outcome.doubled.length,
    'signed out': outcome.signedOut + tally.signedOut,
  })
  headline.max({
    'kill: seconds without writes': Math.max(...kills.map(({ gap }) => gap)),
    'switchover: seconds': Math.max(...switchovers.map(({ gap }) => gap)),
  })
  expect(tally.failures).toEqual({})
  expect(unexpectedExits).toEqual([])
  expect(outcome).toMatchObject({ missing: [], doubled: [], signedOut: 0 })
  expect(outcome.auditChain.broken).toBeUndefined()
  expect(outcome.auditChain.events).toBeGreaterThan(0)
  expect(Math.max(...kills.map(({ gap }) => gap))).toBeLessThan(KILL_LIMIT_SECONDS)
  expect(Math.max(...switchovers.map(({ gap }) => gap))).toBeLessThan(SWITCHOVER_LIMIT_SECONDS)
})

it('without synchronous replication, the same proof finds lost writes', fullSizeOnly, async () => {
  await using parts = new AsyncDisposableStack()
  const product = await startProductOn(
    {
      nodes: 2,
      etcds: 1,
      dcs: { synchronous_mode: false, maximum_lag_on_failover: 1_000_000_000 },
      accounts: SIGNED_IN_ACCOUNTS + 30,
    },
    parts,
  )
  const { cluster, traffic, stack, databaseUrl } = product
  await traffic.tally.untilNewWrites(WRITES_TO_WAIT_FOR)
  const [standby] = await cluster.standbys()
  standby!.freeze()
  await traffic.tally.untilNewWrites(WRITES_TO_WAIT_FOR)
  ;(await primaryOf(product)).kill()
  standby!.thaw()
  await cluster.expireLease()
  await traffic.tally.untilNewWrites(WRITES_TO_WAIT_FOR)
  await traffic.end()
  const { missing, signedOut } = await outcomeOf(traffic, stack, databaseUrl)
  figures('without synchronous replication', { missing: JSON.stringify(missing), signedOut })
  expect(missing).not.toEqual([])
})
