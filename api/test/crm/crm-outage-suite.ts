import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Crm } from '../../src/crm/port.ts'
import { setupForEach } from './crm-setup.ts'
import type { MakeCrmSetup, Outage } from './crm-setup.ts'
import { newClient } from './crm-write-suite.ts'

const LONGEST_MS = 9_000
const HALF_A_MINUTE_MS = 30_000
const UNAVAILABLE = { name: 'CrmUnavailable', code: expect.stringMatching(/^\w+$/) as string }

const OUTAGES: Outage[] = ['down', '500', '429', 'quota', 'expired-token', 'truncated', 'lost']

const CALLS: [string, (crm: Crm) => Promise<unknown>][] = [
  ['a read', (crm) => crm.findContacts('james@example.com', randomUUID())],
  ['a write', (crm) => crm.upsertContact(newClient('0f3a1c52-66d1-4b0e-9a53-5f8a4b1c2d3e'))],
]

async function timed(work: Promise<unknown>): Promise<{ reason?: unknown; ms: number }> {
  const started = performance.now()
  const [{ status, ...rest }] = await Promise.allSettled([work])
  const ms = performance.now() - started
  return status === 'rejected' ? { reason: (rest as { reason: unknown }).reason, ms } : { ms }
}

/** What any CRM behind the port must do when the vendor does not answer as it should. */
export function crmOutageSuite(name: string, makeSetup: MakeCrmSetup): void {
  const setup = setupForEach(makeSetup)

  describe.each(CALLS)(`${name}: %s`, (_, call) => {
    it.each(OUTAGES)(
      'says that the CRM is not available (%s), and works after it',
      async (mode) => {
        await call(setup.crm)
        await setup.outage(mode)
        const { reason, ms } = await timed(call(setup.crm))
        expect(reason).toMatchObject(UNAVAILABLE)
        expect(ms).toBeLessThan(LONGEST_MS)
        await setup.outage('none')
        setup.pass(HALF_A_MINUTE_MS)
        await call(setup.crm)
      },
    )

    it.each(OUTAGES)('says so too at the very first (%s), and works after it', async (mode) => {
      await setup.outage(mode)
      expect((await timed(call(setup.crm))).reason).toMatchObject(UNAVAILABLE)
      await setup.outage('none')
      setup.pass(HALF_A_MINUTE_MS)
      await call(setup.crm)
    })

    it('waits for a slow answer, and not for one that is too slow', async () => {
      await setup.outage('slow', { milliseconds: 300 })
      await call(setup.crm)
      const hasty = await makeSetup({ timeoutMs: 500 })
      try {
        await call(hasty.crm)
        await hasty.outage('slow', { milliseconds: 5_000 })
        const { reason, ms } = await timed(call(hasty.crm))
        expect(reason).toMatchObject(UNAVAILABLE)
        expect(ms).toBeLessThan(1_500)
        await hasty.outage('none')
        await call(hasty.crm)
      } finally {
        await hasty.close()
      }
    })
  })

  describe(`${name}: whatever is asked`, () => {
    it('is answered within nine seconds, by a CRM that hangs', async () => {
      const id = await setup.crm.upsertContact(newClient())
      const fresh = await makeSetup()
      await setup.outage('hang')
      await fresh.outage('hang')
      const at = new Date()
      const userId = randomUUID()
      const sent = { name: 'x', type: 'Other', boxFileId: '1', uploadedAt: at }
      const outcomes = await Promise.all(
        [
          setup.crm.changes('contact', { at: at.toISOString(), id }),
          setup.crm.count('contact'),
          setup.crm.veteran(id),
          setup.crm.findContacts('james@example.com', randomUUID()),
          setup.crm.upsertContact(newClient()),
          setup.crm.linkContact(id, userId),
          setup.crm.unlinkContact(id, userId),
          setup.crm.setBoxFolder(id, '1'),
          setup.crm.upsertContactRequest({
            requestId: userId,
            userId,
            method: 'Call',
            requestedAt: at,
          }),
          setup.crm.upsertIntake({ intakeId: userId, userId, answers: {}, submittedAt: at }),
          setup.crm.upsertDocument({ documentId: userId, userId, ...sent }),
          setup.crm.upsertDocument({ documentId: userId, userId, crmId: id, ...sent }),
          setup.crm.verify(),
          // Here it is already the token that does not come.
          fresh.crm.count('contact'),
          fresh.crm.upsertContact(newClient()),
        ].map((work: Promise<unknown>) => timed(work)),
      )
      for (const { reason, ms } of outcomes) {
        expect(reason).toMatchObject({ name: 'CrmUnavailable', code: 'TIMEOUT' })
        expect(ms).toBeLessThan(LONGEST_MS)
      }
      await setup.outage('none')
      await fresh.outage('none')
      expect(await setup.crm.count('contact')).toBe(1)
      expect(await fresh.crm.count('contact')).toBe(0)
      await fresh.close()
    })

    it('is done once, if it is sent again because the answer was lost', async () => {
      const { userId } = newClient()
      const contactId = await setup.crm.upsertContact(newClient(userId))
      const requestedAt = new Date()
      const request = { requestId: randomUUID(), userId, method: 'Call' as const, requestedAt }
      for (const outage of ['lost', 'truncated'] as const) {
        await setup.outage(outage, { times: 1 })
        await expect(setup.crm.upsertContactRequest(request)).rejects.toMatchObject(UNAVAILABLE)
      }
      const id = await setup.crm.upsertContactRequest(request)
      expect(await setup.contactRequests()).toEqual([{ id, contactId, method: 'Call' }])
    })
  })

  describe(`${name}: a session`, () => {
    it('that has expired is renewed once, for all who ask, and nobody notices', async () => {
      const id = await setup.crm.upsertContact(newClient())
      const before = await setup.spent()
      await setup.outage('expired-token', { times: 1 })
      const answers = await Promise.all(Array.from({ length: 20 }, () => setup.crm.veteran(id)))
      expect(answers.every(({ contact }) => contact?.id === id)).toBe(true)
      expect((await setup.spent()).tokens - before.tokens).toBe(1)
    })

    it('that is refused for good is asked for once in half a minute', async () => {
      await setup.crm.count('user')
      const before = await setup.spent()
      await setup.outage('expired-token')
      const tokens = async () => (await setup.spent()).tokens - before.tokens
      const refused = async () => {
        const calls = Array.from({ length: 20 }, () => timed(setup.crm.count('user')))
        for (const { reason } of await Promise.all(calls)) {
          expect(reason).toMatchObject(UNAVAILABLE)
        }
      }
      await refused()
      await refused()
      expect(await tokens()).toBe(1)
      setup.pass(HALF_A_MINUTE_MS - 5_000)
      await refused()
      expect(await tokens()).toBe(1)
      setup.pass(5_000)
      await refused()
      expect(await tokens()).toBe(2)
    })
  })

  describe(`${name}: the quota`, () => {
    it('is known from the last answer, and not before the first', async () => {
      expect(setup.crm.usage()).toBeUndefined()
      await setup.setUsed(1_233)
      await setup.crm.count('user')
      expect(setup.crm.usage()).toEqual({ used: 1_234, limit: 100_000 })
      await setup.outage('down')
      await expect(setup.crm.count('user')).rejects.toMatchObject(UNAVAILABLE)
      expect(setup.crm.usage()).toEqual({ used: 1_234, limit: 100_000 })
    })

    it('that is used up makes the CRM unavailable', async () => {
      await setup.setUsed(100_000)
      await expect(setup.crm.count('user')).rejects.toMatchObject(UNAVAILABLE)
      expect(setup.crm.usage()).toEqual({ used: 100_000, limit: 100_000 })
      await setup.setUsed(0)
      expect(await setup.crm.count('user')).toBe(2)
    })
  })
}
