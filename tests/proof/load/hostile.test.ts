import { setPriority } from 'node:os'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { newAccount } from '../../support/outside/account.ts'
import { startHelper } from '../../support/outside/helper-process.ts'
import { percentile } from '../../support/outside/statistics.ts'
import { cookieOf } from '../../support/test-client.ts'
import { figures, headline } from '../figures.ts'
import { fullSizeOnly, smallOrFull } from '../size.ts'
import type { AttackMessage } from './attacks/attacker.ts'
import { attacks } from './attacks/attacks.ts'
import type { Statuses } from './attacks/attacks.ts'
import { checkOut } from './check-out.ts'
import { startProduct } from './product.ts'
import type { Product } from './product.ts'
import { RegularClients } from './regular-clients.ts'

const ATTACK_MS = smallOrFull(4_000, 60_000)
const CLIENTS = smallOrFull(4, 12)
const REQUESTS = smallOrFull(20, 200)
/**
 * A small run allows more slow requests, because other work on the same cores delays a few sign-ins and uploads. A server
 * that does not respond delays all requests.
 */
const PERCENTILE = smallOrFull(0.9, 0.99)
const MAX_PERCENTILE_MS = smallOrFull(5_000, 500)
/**
 * A low priority, because a real attacker takes no CPU time from the product. Higher in a small run, or other processes
 * would starve the attacker.
 */
const ATTACKER_NICE = smallOrFull(5, 19)
const SMALL_SIZE_ATTACKS = ['slow and stalled bodies', 'an endless flood of small files']
const ATTACKER = { address: '203.0.113.9' }

async function runAttack({ urls, admin }: Product, name: string) {
  const base = urls.api[0]!
  const veterans = Array.from({ length: CLIENTS + 1 }, () => newAccount())
  await admin(['create-users'], JSON.stringify(veterans))
  const [attacker, ...others] = veterans.map(({ email }) => email) as [string, ...string[]]
  const stack = { base, origin: urls.portal, mailbox: urls.mailbox }
  const cookie = cookieOf(await new RegularClients(stack).signIn(attacker))
  const target = { base, origin: urls.portal, cookie, ...ATTACKER }

  const attack = async () => {
    const program = startHelper<AttackMessage, Statuses>(
      new URL('attacks/attacker.ts', import.meta.url),
    )
    setPriority(program.pid, ATTACKER_NICE)
    const statuses = await program.run({ attack: name, target, durationMs: ATTACK_MS })
    program.stop()
    return statuses
  }
  const clients = new RegularClients(stack)
  const statuses = await clients.during(attack, others)
  const count = (from: number, below: number) =>
    Object.entries(statuses)
      .filter(([status]) => Number(status) >= from && Number(status) < below)
      .reduce((sum, [, times]) => sum + times, 0)
  return { clients, accepted: count(200, 300), statuses }
}

function report(title: string, result: Awaited<ReturnType<typeof runAttack>>): void {
  const { clients, accepted, statuses } = result
  figures(title, {
    seconds: ATTACK_MS / 1_000,
    'client requests': clients.ms.length,
    'p50 ms': Math.round(percentile(clients.ms, 0.5)),
    'p99 ms': Math.round(percentile(clients.ms, 0.99)),
    'slowest ms': Math.round(Math.max(...clients.ms)),
    'client failures': clients.failures.length,
    'readiness lost': clients.notReady,
    accepted,
    'attacker received': JSON.stringify(statuses).replaceAll('"', ''),
  })
}

describe('while one anonymous client or one account attacks', async () => {
  const parts = new AsyncDisposableStack()
  afterAll(() => parts.disposeAsync())
  const product = await startProduct(parts)

  async function checkAttack(name: string): Promise<void> {
    const result = await runAttack(product, name)
    report(name, result)
    const { clients, accepted } = result
    headline.sum({ attacks: 1, 'client failures': clients.failures.length })
    headline.max({ 'client p99 ms': Math.round(percentile(clients.ms, 0.99)) })
    expect(clients.failures).toEqual([])
    expect(clients.notReady).toBe(0)
    expect(attacks[name]!.mustBeRefused ? accepted : 0).toBe(0)
    expect(clients.ms.length).toBeGreaterThanOrEqual(REQUESTS)
    expect(percentile(clients.ms, PERCENTILE)).toBeLessThan(MAX_PERCENTILE_MS)
  }

  it.each(SMALL_SIZE_ATTACKS)('with %s, other clients are served as usual', checkAttack)
  it.each(Object.keys(attacks).filter((name) => !SMALL_SIZE_ATTACKS.includes(name)))(
    'with %s, other clients are served as usual',
    fullSizeOnly,
    checkAttack,
  )
})

const control = inject('control')

/** Only prints the effect of the same attacks on an earlier revision; failures and slow responses are allowed. */
describe.skipIf(control === '')('the same attacks on the control revision', () => {
  it.each(Object.keys(attacks))('with %s', async (name) => {
    // Each attack gets its own stack, because an earlier attack may have broken it.
    await using parts = new AsyncDisposableStack()
    const result = await runAttack(await startProduct(parts, controlCheckout()), name)
    report(`${name}, on ${control}`, result)
    headline.sum({ 'failures of the control': result.clients.failures.length })
    expect(result.clients.ms).not.toEqual([])
  })

  const checkouts = new AsyncDisposableStack()
  afterAll(() => checkouts.disposeAsync())
  let folder: string | undefined
  const controlCheckout = () => (folder ??= checkOut(control, checkouts))
})
