import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { countIn } from '@guidon/tests/crm/crm-setup'
import { sampleContact } from '@guidon/tests/crm/crm-write-suite'
import { salesforceSetup } from '@guidon/tests/crm/salesforce-setup'
import type { SalesforceSetup } from '@guidon/tests/crm/salesforce-setup'
import { afterEach, describe, expect, it } from 'vitest'

let setup: SalesforceSetup
afterEach(() => setup.close())

const UNAVAILABLE = { name: 'CrmUnavailable' }

describe('a token', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const jwt = { kind: 'jwt', username: 'portal@guidon.example' } as const

  it('is granted for an assertion signed with our key', async () => {
    setup = await salesforceSetup({ publicKey, auth: { ...jwt, privateKey } })
    expect(await countIn(setup.crm, 'user')).toBe(2)
    await setup.outage('expired-token', { times: 1 })
    expect(await countIn(setup.crm, 'user')).toBe(2)
  })

  it('is not granted for another key, and is not requested again at once', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const key = other.export({ type: 'pkcs8', format: 'pem' }).toString()
    setup = await salesforceSetup({ publicKey, auth: { ...jwt, privateKey: key } })
    const calls = Array.from({ length: 5 }, () => countIn(setup.crm, 'user'))
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({ ...UNAVAILABLE, code: 'invalid_grant' })
    }
    await expect(countIn(setup.crm, 'user')).rejects.toMatchObject({ code: 'invalid_grant' })
    expect(await setup.spent()).toEqual({ calls: 0, tokens: 1 })
  })

  it('is not requested with an invalid key', async () => {
    setup = await salesforceSetup({ auth: { ...jwt, privateKey: 'nonsense' } })
    await expect(countIn(setup.crm, 'user')).rejects.toMatchObject({ code: 'UNUSABLE_KEY' })
    expect((await setup.spent()).tokens).toBe(0)
  })

  it('is not granted for a wrong secret, and is requested again after growing pauses', async () => {
    const auth = { kind: 'client-credentials', clientSecret: 'wrong' } as const
    setup = await salesforceSetup({ auth })
    const refused = { ...UNAVAILABLE, code: 'invalid_client' }
    await expect(countIn(setup.crm, 'user')).rejects.toMatchObject(refused)
    await expect(setup.crm.upsertContact(sampleContact())).rejects.toMatchObject(refused)
    expect((await setup.spent()).tokens).toBe(1)
    for (const [earlier, seconds] of [2, 4, 8, 16, 30, 30].entries()) {
      setup.pass(seconds * 1000 - 1)
      await expect(countIn(setup.crm, 'user')).rejects.toMatchObject(refused)
      expect((await setup.spent()).tokens).toBe(1 + earlier)
      setup.pass(1)
      await expect(countIn(setup.crm, 'user')).rejects.toMatchObject(refused)
      expect((await setup.spent()).tokens).toBe(2 + earlier)
    }
  })

  it('is requested again by the next call after a network failure', async () => {
    setup = await salesforceSetup()
    for (const mode of ['down', '500', 'truncated'] as const) {
      await setup.control.fault({ mode, times: 1, match: 'oauth2/token' })
      await expect(countIn(setup.crm, 'user')).rejects.toMatchObject(UNAVAILABLE)
    }
    expect(await countIn(setup.crm, 'user')).toBe(2)
  })
})

describe('the log', () => {
  it('names calls without ids, queries, tokens or content', async () => {
    setup = await salesforceSetup()
    const contact = sampleContact()
    const id = await setup.crm.upsertContact(contact)
    await setup.crm.findContacts(contact.email, randomUUID())
    await setup.crm.setBoxFolder(id, '4711')
    await setup.crm.veterans([id])
    await setup.crm.unlinkContact(id, contact.userId)
    expect(setup.lines.map(([fields]) => fields)).toEqual([
      line('POST', '/composite', 'send', 200),
      line('GET', '/query', 'send', 200),
      line('POST', '/composite', 'send', 200),
      line('POST', '/composite', 'refresh', 200),
      line('GET', '/query', 'send', 200),
      line('PATCH', '/sobjects/Contact/{id}', 'send', 204),
    ])
  })

  function line(method: string, route: string, purpose: string, status: number, code?: string) {
    return { method, route, purpose, status, ms: expect.any(Number) as number, code }
  }
})

describe('the quota', () => {
  it('is charged one call for a link, and three if another contact has the id', async () => {
    setup = await salesforceSetup()
    const id = await setup.addContact({ lastName: 'Whitfield' })
    const userId = randomUUID()
    await setup.crm.linkContact(id, userId)
    expect((await setup.spent()).calls).toBe(1)
    await setup.crm.linkContact(await setup.addContact({ lastName: 'Moore' }), userId)
    expect((await setup.spent()).calls).toBe(4)
  })
})

describe('several adapters in one process', () => {
  it('keep working when one of them is closed', async () => {
    setup = await salesforceSetup()
    const other = await salesforceSetup()
    await other.crm.upsertContact(sampleContact(randomUUID()))
    await other.crm.close()
    await other.crm.close()
    expect(await countIn(setup.crm, 'contact')).toBe(0)
    await other.close()
  })
})
