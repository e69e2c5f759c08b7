import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@guidon/sandbox/stack/stack'
import { afterAll, describe, expect, inject, it } from 'vitest'
import type { Order } from './attacks/attacker.ts'
import { attacks } from './attacks/attacks.ts'
import type { Statuses } from './attacks/attacks.ts'
import { cookieOf } from './attacks/target.ts'
import { checkOut } from './check-out.ts'
import { figures, size } from './size.ts'
import { smallDisk } from './small-disk.ts'
import { veteran } from './traffic.ts'
import { RegularClients } from './regular-clients.ts'

const FOR_MS = size(4_000, 60_000)
const VICTIMS = size(4, 12)
const REQUESTS = size(20, 200)
/** In the gate other tests run on the same cores. */
const P99_MS = size(3_000, 500)
const LOWEST_PRIORITY = 19
const UPLOAD_DISK_MB = 1_024
const ATTACKER = { address: '203.0.113.9' }

type Place = Awaited<ReturnType<typeof product>>

/** Until version 0.1 the processes were one folder higher. */
function scriptsIn(checkout: string) {
  const main = join(checkout, 'api/src/main')
  const folder = existsSync(main) ? main : join(checkout, 'api/src')
  return {
    serve: join(folder, 'serve.ts'),
    work: join(folder, 'work.ts'),
    admin: join(folder, 'admin-cli.ts'),
  }
}

/** The product as processes; of another revision where its folder is given. */
async function product(parts: AsyncDisposableStack, folder?: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'guidon-hostile-'))
  parts.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const scripts = folder && scriptsIn(folder)
  const stack = await startStack({
    dataDir,
    mode: 'test',
    env: { WEB_DIR: '', CRM_POLL_SECONDS: '3600', ADDRESS_LIMIT_FACTOR: '1', ...uploadDir(parts) },
    ...(scripts && { scripts }),
  })
  parts.defer(() => stack.stop())
  return stack
}

/** As much room for uploads as the compose file gives; mounting it needs root, so not in the gate. */
function uploadDir(parts: AsyncDisposableStack): { UPLOAD_DIR?: string } {
  if (inject('proof') !== 'full') return {}
  const disk = smallDisk(UPLOAD_DISK_MB)
  parts.defer(() => disk.remove())
  return { UPLOAD_DIR: join(disk.path, 'uploads') }
}

async function attacked({ urls, admin }: Place, name: string) {
  const base = urls.api[0]!
  const people = Array.from({ length: VICTIMS + 1 }, veteran)
  await admin(['create-users'], JSON.stringify(people))
  const [attacker, ...others] = people.map(({ email }) => email) as [string, ...string[]]
  const place = { base, origin: urls.portal, mailbox: urls.mailbox }
  const cookie = cookieOf(await new RegularClients(place).signIn(attacker))
  const target = { base, origin: urls.portal, cookie, ...ATTACKER }

  const attack = async () => {
    const child = fork(join(import.meta.dirname, 'attacks/attacker.ts'))
    // A real one has a machine of its own, and takes no CPU from the product.
    setPriority(child.pid!, LOWEST_PRIORITY)
    child.send({ attack: name, target, forMs: FOR_MS } satisfies Order)
    const [statuses] = (await once(child, 'message')) as [Statuses]
    return statuses
  }
  const victims = new RegularClients(place)
  const statuses = await victims.during(attack, others)
  const count = (from: number, below: number) =>
    Object.entries(statuses)
      .filter(([status]) => Number(status) >= from && Number(status) < below)
      .reduce((sum, [, times]) => sum + times, 0)
  return { victims, accepted: count(200, 300), statuses }
}

function report(title: string, found: Awaited<ReturnType<typeof attacked>>): void {
  const { victims, accepted, statuses } = found
  figures(title, {
    seconds: FOR_MS / 1_000,
    'victim requests': victims.ms.length,
    'p50 ms': Math.round(victims.percentile(0.5)),
    'p99 ms': Math.round(victims.percentile(0.99)),
    'slowest ms': Math.round(Math.max(...victims.ms)),
    'victim failures': victims.failures.length,
    'readiness lost': victims.notReady,
    accepted,
    'attacker was answered': JSON.stringify(statuses).replaceAll('"', ''),
  })
}

describe('while one stranger or one account attacks', async () => {
  const parts = new AsyncDisposableStack()
  afterAll(() => parts.disposeAsync())
  const place = await product(parts)

  it.each(Object.entries(attacks))('with %s, others are served as always', async (name, attack) => {
    const found = await attacked(place, name)
    report(name, found)
    const { victims, accepted } = found
    expect(victims.failures).toEqual([])
    expect(victims.notReady).toBe(0)
    expect(attack.hostile ? accepted : 0).toBe(0)
    expect(victims.ms.length).toBeGreaterThanOrEqual(REQUESTS)
    expect(victims.percentile(0.99)).toBeLessThan(P99_MS)
  })
})

const control = inject('control')

/** What the same attacks did to an earlier revision: shown, not judged. */
describe.skipIf(control === '')('the same attacks on the revision to compare with', () => {
  it.each(Object.keys(attacks))('with %s', async (name) => {
    // Each on a stack of its own: the attack before may have left it broken.
    await using parts = new AsyncDisposableStack()
    const found = await attacked(await product(parts, earlier()), name)
    report(`${name}, on ${control}`, found)
    expect(found.victims.ms).not.toEqual([])
  })

  const checkouts = new AsyncDisposableStack()
  afterAll(() => checkouts.disposeAsync())
  let folder: string | undefined
  const earlier = () => (folder ??= checkOut(control, checkouts))
})
