import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { sampleContact } from '../../../test/crm/crm-write-suite.ts'
import { salesforceSetup } from '../../../test/crm/salesforce-setup.ts'
import type { SalesforceSetup } from '../../../test/crm/salesforce-setup.ts'

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
    expect(await setup.crm.count('user')).toBe(2)
    await setup.outage('expired-token', { times: 1 })
    expect(await setup.crm.count('user')).toBe(2)
  })

  it('is not granted for another key, and is not requested again at once', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const key = other.export({ type: 'pkcs8', format: 'pem' }).toString()
    setup = await salesforceSetup({ publicKey, auth: { ...jwt, privateKey: key } })
    const calls = Array.from({ length: 5 }, () => setup.crm.count('user'))
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({ ...UNAVAILABLE, code: 'invalid_grant' })
    }
    await expect(setup.crm.count('user')).rejects.toMatchObject({ code: 'invalid_grant' })
    expect(await setup.spent()).toEqual({ calls: 0, tokens: 1 })
  })

  it('is not requested with an invalid key', async () => {
    setup = await salesforceSetup({ auth: { ...jwt, privateKey: 'nonsense' } })
    await expect(setup.crm.count('user')).rejects.toMatchObject({ code: 'UNUSABLE_KEY' })
    expect((await setup.spent()).tokens).toBe(0)
  })

  it('is not granted for a wrong secret, and is requested once in half a minute', async () => {
    const auth = { kind: 'client-credentials', clientSecret: 'wrong' } as const
    setup = await salesforceSetup({ auth })
    const refused = { ...UNAVAILABLE, code: 'invalid_client' }
    await expect(setup.crm.count('user')).rejects.toMatchObject(refused)
    await expect(setup.crm.upsertContact(sampleContact())).rejects.toMatchObject(refused)
    expect((await setup.spent()).tokens).toBe(1)
    setup.pass(30_000)
    await expect(setup.crm.count('user')).rejects.toMatchObject(refused)
    expect((await setup.spent()).tokens).toBe(2)
  })

  it('is requested again by the next call after a network failure', async () => {
    setup = await salesforceSetup()
    for (const mode of ['down', '500', 'truncated'] as const) {
      await setup.control.fault({ mode, times: 1, match: 'oauth2/token' })
      await expect(setup.crm.count('user')).rejects.toMatchObject(UNAVAILABLE)
    }
    expect(await setup.crm.count('user')).toBe(2)
  })
})

describe('the log', () => {
  it('names calls without ids, queries, tokens or content', async () => {
    setup = await salesforceSetup()
    const contact = sampleContact()
    const id = await setup.crm.upsertContact(contact)
    await setup.crm.findContacts(contact.email, randomUUID())
    await setup.crm.setBoxFolder(id, '4711')
    await setup.crm.veteran(id)
    await setup.crm.upsertContact({ ...contact, email: 'nonsense' }).catch(() => {})
    expect(setup.lines.map(([fields]) => fields)).toEqual([
      line('PATCH', '/sobjects/Contact/Portal_User_Id__c/{id}', 201),
      line('GET', '/query', 200),
      line('GET', '/query', 200),
      line('PATCH', '/sobjects/Contact/{id}', 204),
      { ...line('POST', '/composite', 200), purpose: 'refresh' },
      line('PATCH', '/sobjects/Contact/Portal_User_Id__c/{id}', 400, 'INVALID_EMAIL_ADDRESS'),
    ])
  })

  function line(method: string, route: string, status: number, code?: string) {
    return { method, route, purpose: 'send', status, ms: expect.any(Number) as number, code }
  }
})

describe('the quota', () => {
  it('is charged one call for an existing link, and two for a new one', async () => {
    setup = await salesforceSetup()
    const id = await setup.addContact({ lastName: 'Whitfield' })
    const userId = randomUUID()
    await setup.crm.linkContact(id, userId)
    expect((await setup.spent()).calls).toBe(2)
    await setup.crm.linkContact(id, userId)
    expect((await setup.spent()).calls).toBe(3)
  })
})

describe('several adapters in one process', () => {
  it('keep working when one of them is closed', async () => {
    setup = await salesforceSetup()
    const other = await salesforceSetup()
    await other.crm.upsertContact(sampleContact(randomUUID()))
    await other.crm.close()
    await other.crm.close()
    expect(await setup.crm.count('contact')).toBe(0)
    await other.close()
  })
})
