import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { countIn, setupForEach } from './crm-setup.ts'
import type { CrmSetup, MakeCrmSetup, Outage } from './crm-setup.ts'
import { sampleContact } from './crm-write-suite.ts'

const HALF_A_MINUTE_MS = 30_000
const UNAVAILABLE = { name: 'CrmUnavailable', code: expect.stringMatching(/^\w+$/) as string }

const OUTAGES: Outage[] = ['down', '500', '429', 'quota', 'expired-token', 'truncated', 'lost']

const CALLS: [string, (crm: CrmSetup['crm']) => Promise<unknown>][] = [
  ['a read', (crm) => crm.findContacts('james@example.com', randomUUID())],
  ['a write', (crm) => crm.upsertContact(sampleContact('0f3a1c52-66d1-4b0e-9a53-5f8a4b1c2d3e'))],
]

const reasonOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (reason: unknown) => reason,
  )

/** What every CRM adapter must do when the vendor fails. */
export function crmOutageSuite(name: string, makeSetup: MakeCrmSetup): void {
  const setup = setupForEach(makeSetup)

  describe.each(CALLS)(`${name}: %s`, (_, call) => {
    it.each(OUTAGES)('throws CrmUnavailable (%s), and works again afterwards', async (mode) => {
      await call(setup.crm)
      await setup.outage(mode)
      expect(await reasonOf(call(setup.crm))).toMatchObject(UNAVAILABLE)
      await setup.outage('none')
      setup.pass(HALF_A_MINUTE_MS)
      await call(setup.crm)
    })

    it.each(OUTAGES)(
      'throws CrmUnavailable at the first call too (%s), and works again afterwards',
      async (mode) => {
        await setup.outage(mode)
        expect(await reasonOf(call(setup.crm))).toMatchObject(UNAVAILABLE)
        await setup.outage('none')
        setup.pass(HALF_A_MINUTE_MS)
        await call(setup.crm)
      },
    )

    it('waits for a slow response until the timeout', async () => {
      await setup.outage('slow', { milliseconds: 300 })
      await call(setup.crm)
      const shortTimeoutSetup = await makeSetup({ timeoutMs: 500 })
      try {
        await call(shortTimeoutSetup.crm)
        await shortTimeoutSetup.outage('slow', { milliseconds: 60_000 })
        expect(await reasonOf(call(shortTimeoutSetup.crm))).toMatchObject(UNAVAILABLE)
        await shortTimeoutSetup.outage('none')
        await call(shortTimeoutSetup.crm)
      } finally {
        await shortTimeoutSetup.close()
      }
    })
  })

  describe(`${name}: every call`, () => {
    it('ends with its timeout if the CRM hangs', async () => {
      const fresh = await makeSetup()
      const sendSetup = await makeSetup({ timeoutMs: 2_000 })
      const id = await sendSetup.crm.upsertContact(sampleContact())
      await setup.outage('hang')
      await fresh.outage('hang')
      await sendSetup.outage('hang')
      const at = new Date()
      const userId = randomUUID()
      const sent = { name: 'x', type: 'Other', boxFileId: '1', uploadedAt: at }
      const outcomes = await Promise.all(
        [
          setup.crm.changes('contact', { at: at.toISOString(), id }),
          setup.crm.tick([{ kind: 'contact', after: { at: at.toISOString(), id } }]),
          setup.crm.rows('contact', [id]),
          countIn(setup.crm, 'contact'),
          setup.crm.veterans([id]),
          setup.crm.veteransByEmail(['james@example.com']),
          setup.crm.findContacts('james@example.com', randomUUID()),
          sendSetup.crm.upsertContact(sampleContact()),
          sendSetup.crm.linkContact(id, userId),
          sendSetup.crm.unlinkContact(id, userId),
          sendSetup.crm.setBoxFolder(id, '1'),
          sendSetup.crm.upsertContactRequest({
            requestId: userId,
            userId,
            method: 'Call',
            requestedAt: at,
          }),
          sendSetup.crm.upsertIntake({ intakeId: userId, userId, answers: {}, submittedAt: at }),
          sendSetup.crm.upsertDocument({ documentId: userId, userId, ...sent }),
          sendSetup.crm.upsertDocument({ documentId: userId, userId, crmId: id, ...sent }),
          setup.crm.verify(),
          // Here the request for a token hangs.
          countIn(fresh.crm, 'contact'),
        ].map((work: Promise<unknown>) => reasonOf(work)),
      )
      for (const reason of outcomes) {
        expect(reason).toMatchObject({ name: 'CrmUnavailable', code: 'TIMEOUT' })
      }
      await setup.outage('none')
      await fresh.outage('none')
      await sendSetup.outage('none')
      expect(await countIn(setup.crm, 'contact')).toBe(0)
      expect(await countIn(fresh.crm, 'contact')).toBe(0)
      await fresh.close()
      await sendSetup.close()
    })

    it('takes effect once, if it is repeated because the response was lost', async () => {
      const { userId } = sampleContact()
      const contactId = await setup.crm.upsertContact(sampleContact(userId))
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
    it('that has expired is renewed once for all concurrent calls', async () => {
      const id = await setup.crm.upsertContact(sampleContact())
      const before = await setup.spent()
      await setup.outage('expired-token', { times: 1 })
      const veterans = await Promise.all(Array.from({ length: 20 }, () => setup.crm.veterans([id])))
      expect(veterans.every(({ contacts }) => contacts[0]?.id === id)).toBe(true)
      expect((await setup.spent()).tokens - before.tokens).toBe(1)
    })

    it('that is refused permanently is renewed after growing pauses', async () => {
      await countIn(setup.crm, 'user')
      const before = await setup.spent()
      await setup.outage('expired-token')
      const tokens = async () => (await setup.spent()).tokens - before.tokens
      const expectRefusals = async () => {
        const calls = Array.from({ length: 20 }, () => reasonOf(countIn(setup.crm, 'user')))
        for (const reason of await Promise.all(calls)) {
          expect(reason).toMatchObject(UNAVAILABLE)
        }
      }
      await expectRefusals()
      await expectRefusals()
      expect(await tokens()).toBe(1)
      for (const [renewals, seconds] of [2, 4, 8, 16, 30, 30].entries()) {
        setup.pass(seconds * 1000 - 1)
        await expectRefusals()
        expect(await tokens()).toBe(1 + renewals)
        setup.pass(1)
        await expectRefusals()
        expect(await tokens()).toBe(2 + renewals)
      }
    })
  })

  describe(`${name}: the quota`, () => {
    it('is known from the last response, and unknown before the first', async () => {
      expect(setup.crm.usage()).toBeUndefined()
      await setup.setUsed(1_233)
      await countIn(setup.crm, 'user')
      expect(setup.crm.usage()).toEqual({ used: 1_234, limit: 100_000 })
      await setup.outage('down')
      await expect(countIn(setup.crm, 'user')).rejects.toMatchObject(UNAVAILABLE)
      expect(setup.crm.usage()).toEqual({ used: 1_234, limit: 100_000 })
    })

    it('makes the CRM unavailable when it is used up', async () => {
      await setup.setUsed(100_000)
      await expect(countIn(setup.crm, 'user')).rejects.toMatchObject(UNAVAILABLE)
      expect(setup.crm.usage()).toEqual({ used: 100_000, limit: 100_000 })
      await setup.setUsed(0)
      expect(await countIn(setup.crm, 'user')).toBe(2)
    })
  })
}
