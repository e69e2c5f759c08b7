import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Crm } from '../../src/crm/port.ts'
import { houseForEach } from './crm-setup.ts'
import type { MakeCrmHouse, Outage } from './crm-setup.ts'
import { someone } from './crm-write-suite.ts'

const LONGEST_MS = 9_000
const HALF_A_MINUTE_MS = 30_000
const UNAVAILABLE = { name: 'CrmUnavailable', code: expect.stringMatching(/^\w+$/) as string }

const OUTAGES: Outage[] = ['down', '500', '429', 'quota', 'expired-token', 'truncated', 'lost']

const CALLS: [string, (crm: Crm) => Promise<unknown>][] = [
  ['a read', (crm) => crm.findContacts('james@example.com', randomUUID())],
  ['a write', (crm) => crm.upsertContact(someone('0f3a1c52-66d1-4b0e-9a53-5f8a4b1c2d3e'))],
]

async function timed(work: Promise<unknown>): Promise<{ reason?: unknown; ms: number }> {
  const started = performance.now()
  const [{ status, ...rest }] = await Promise.allSettled([work])
  const ms = performance.now() - started
  return status === 'rejected' ? { reason: (rest as { reason: unknown }).reason, ms } : { ms }
}

/** What any CRM behind the port must do when the vendor does not answer as it should. */
export function crmOutageSuite(name: string, makeHouse: MakeCrmHouse): void {
  const house = houseForEach(makeHouse)

  describe.each(CALLS)(`${name}: %s`, (_, call) => {
    it.each(OUTAGES)(
      'says that the CRM is not available (%s), and works after it',
      async (mode) => {
        await call(house.crm)
        await house.outage(mode)
        const { reason, ms } = await timed(call(house.crm))
        expect(reason).toMatchObject(UNAVAILABLE)
        expect(ms).toBeLessThan(LONGEST_MS)
        await house.outage('none')
        house.pass(HALF_A_MINUTE_MS)
        await call(house.crm)
      },
    )

    it.each(OUTAGES)('says so too at the very first (%s), and works after it', async (mode) => {
      await house.outage(mode)
      expect((await timed(call(house.crm))).reason).toMatchObject(UNAVAILABLE)
      await house.outage('none')
      house.pass(HALF_A_MINUTE_MS)
      await call(house.crm)
    })

    it('waits for a slow answer, and not for one that is too slow', async () => {
      await house.outage('slow', { milliseconds: 300 })
      await call(house.crm)
      const hasty = await makeHouse({ timeoutMs: 500 })
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
      const id = await house.crm.upsertContact(someone())
      const fresh = await makeHouse()
      await house.outage('hang')
      await fresh.outage('hang')
      const at = new Date()
      const userId = randomUUID()
      const sent = { name: 'x', type: 'Other', boxFileId: '1', uploadedAt: at }
      const outcomes = await Promise.all(
        [
          house.crm.changes('contact', { at: at.toISOString(), id }),
          house.crm.count('contact'),
          house.crm.veteran(id),
          house.crm.findContacts('james@example.com', randomUUID()),
          house.crm.upsertContact(someone()),
          house.crm.linkContact(id, userId),
          house.crm.unlinkContact(id, userId),
          house.crm.setBoxFolder(id, '1'),
          house.crm.upsertContactRequest({
            requestId: userId,
            userId,
            method: 'Call',
            requestedAt: at,
          }),
          house.crm.upsertIntake({ intakeId: userId, userId, answers: {}, submittedAt: at }),
          house.crm.upsertDocument({ documentId: userId, userId, ...sent }),
          house.crm.upsertDocument({ documentId: userId, userId, crmId: id, ...sent }),
          house.crm.verify(),
          // Here it is already the token that does not come.
          fresh.crm.count('contact'),
          fresh.crm.upsertContact(someone()),
        ].map((work: Promise<unknown>) => timed(work)),
      )
      for (const { reason, ms } of outcomes) {
        expect(reason).toMatchObject({ name: 'CrmUnavailable', code: 'TIMEOUT' })
        expect(ms).toBeLessThan(LONGEST_MS)
      }
      await house.outage('none')
      await fresh.outage('none')
      expect(await house.crm.count('contact')).toBe(1)
      expect(await fresh.crm.count('contact')).toBe(0)
      await fresh.close()
    })

    it('is done once, if it is sent again because the answer was lost', async () => {
      const { userId } = someone()
      const contactId = await house.crm.upsertContact(someone(userId))
      const requestedAt = new Date()
      const request = { requestId: randomUUID(), userId, method: 'Call' as const, requestedAt }
      for (const outage of ['lost', 'truncated'] as const) {
        await house.outage(outage, { times: 1 })
        await expect(house.crm.upsertContactRequest(request)).rejects.toMatchObject(UNAVAILABLE)
      }
      const id = await house.crm.upsertContactRequest(request)
      expect(await house.contactRequests()).toEqual([{ id, contactId, method: 'Call' }])
    })
  })

  describe(`${name}: a session`, () => {
    it('that has expired is renewed once, for all who ask, and nobody notices', async () => {
      const id = await house.crm.upsertContact(someone())
      const before = await house.spent()
      await house.outage('expired-token', { times: 1 })
      const answers = await Promise.all(Array.from({ length: 20 }, () => house.crm.veteran(id)))
      expect(answers.every(({ contact }) => contact?.id === id)).toBe(true)
      expect((await house.spent()).tokens - before.tokens).toBe(1)
    })

    it('that is refused for good is asked for once in half a minute', async () => {
      await house.crm.count('user')
      const before = await house.spent()
      await house.outage('expired-token')
      const tokens = async () => (await house.spent()).tokens - before.tokens
      const refused = async () => {
        const calls = Array.from({ length: 20 }, () => timed(house.crm.count('user')))
        for (const { reason } of await Promise.all(calls)) {
          expect(reason).toMatchObject(UNAVAILABLE)
        }
      }
      await refused()
      await refused()
      expect(await tokens()).toBe(1)
      house.pass(HALF_A_MINUTE_MS - 5_000)
      await refused()
      expect(await tokens()).toBe(1)
      house.pass(5_000)
      await refused()
      expect(await tokens()).toBe(2)
    })
  })

  describe(`${name}: the quota`, () => {
    it('is known from the last answer, and not before the first', async () => {
      expect(house.crm.usage()).toBeUndefined()
      await house.setUsed(1_233)
      await house.crm.count('user')
      expect(house.crm.usage()).toEqual({ used: 1_234, limit: 100_000 })
      await house.outage('down')
      await expect(house.crm.count('user')).rejects.toMatchObject(UNAVAILABLE)
      expect(house.crm.usage()).toEqual({ used: 1_234, limit: 100_000 })
    })

    it('that is used up makes the CRM unavailable', async () => {
      await house.setUsed(100_000)
      await expect(house.crm.count('user')).rejects.toMatchObject(UNAVAILABLE)
      expect(house.crm.usage()).toEqual({ used: 100_000, limit: 100_000 })
      await house.setUsed(0)
      expect(await house.crm.count('user')).toBe(2)
    })
  })
}
