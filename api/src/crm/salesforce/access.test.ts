import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { newClient } from '../../../test/crm/crm-write-suite.ts'
import { salesforceSetup } from '../../../test/crm/salesforce-setup.ts'
import type { SalesforceSetup } from '../../../test/crm/salesforce-setup.ts'

let testApp: SalesforceSetup
afterEach(() => testApp.close())

const UNAVAILABLE = { name: 'CrmUnavailable' }

describe('a token', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const jwt = { kind: 'jwt', username: 'portal@guidon.example' } as const

  it('is granted for an assertion that our key signed', async () => {
    testApp = await salesforceSetup({ publicKey, auth: { ...jwt, privateKey } })
    expect(await testApp.crm.count('user')).toBe(2)
    await testApp.outage('expired-token', { times: 1 })
    expect(await testApp.crm.count('user')).toBe(2)
  })

  it('is not granted for one of another key, and is not asked for again at once', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const key = other.export({ type: 'pkcs8', format: 'pem' }).toString()
    testApp = await salesforceSetup({ publicKey, auth: { ...jwt, privateKey: key } })
    const asks = Array.from({ length: 5 }, () => testApp.crm.count('user'))
    for (const ask of asks) {
      await expect(ask).rejects.toMatchObject({ ...UNAVAILABLE, code: 'invalid_grant' })
    }
    await expect(testApp.crm.count('user')).rejects.toMatchObject({ code: 'invalid_grant' })
    expect(await testApp.spent()).toEqual({ calls: 0, tokens: 1 })
  })

  it('cannot be asked for with a key that is none', async () => {
    testApp = await salesforceSetup({ auth: { ...jwt, privateKey: 'nonsense' } })
    await expect(testApp.crm.count('user')).rejects.toMatchObject({ code: 'UNUSABLE_KEY' })
    expect((await testApp.spent()).tokens).toBe(0)
  })

  it('is not granted for a wrong secret, and is asked for once in half a minute', async () => {
    const auth = { kind: 'client-credentials', clientSecret: 'wrong' } as const
    testApp = await salesforceSetup({ auth })
    const refused = { ...UNAVAILABLE, code: 'invalid_client' }
    await expect(testApp.crm.count('user')).rejects.toMatchObject(refused)
    await expect(testApp.crm.upsertContact(newClient())).rejects.toMatchObject(refused)
    expect((await testApp.spent()).tokens).toBe(1)
    testApp.pass(30_000)
    await expect(testApp.crm.count('user')).rejects.toMatchObject(refused)
    expect((await testApp.spent()).tokens).toBe(2)
  })

  it('that did not come because of the network is asked for by the next call', async () => {
    testApp = await salesforceSetup()
    for (const mode of ['down', '500', 'truncated'] as const) {
      await testApp.control.fault({ mode, times: 1, match: 'oauth2/token' })
      await expect(testApp.crm.count('user')).rejects.toMatchObject(UNAVAILABLE)
    }
    expect(await testApp.crm.count('user')).toBe(2)
  })
})

describe('a log', () => {
  it('names calls without ids, queries, tokens and what was sent', async () => {
    testApp = await salesforceSetup()
    const contact = newClient()
    const id = await testApp.crm.upsertContact(contact)
    await testApp.crm.findContacts(contact.email, randomUUID())
    await testApp.crm.setBoxFolder(id, '4711')
    await testApp.crm.veteran(id)
    await testApp.crm.upsertContact({ ...contact, email: 'nonsense' }).catch(() => {})
    expect(testApp.lines.map(([fields]) => fields)).toEqual([
      line('PATCH', '/sobjects/Contact/Portal_User_Id__c/{id}', 201),
      line('GET', '/query', 200),
      line('GET', '/query', 200),
      line('PATCH', '/sobjects/Contact/{id}', 204),
      line('POST', '/composite', 200),
      line('PATCH', '/sobjects/Contact/Portal_User_Id__c/{id}', 400, 'INVALID_EMAIL_ADDRESS'),
    ])
  })

  function line(method: string, route: string, status: number, code?: string) {
    return { method, route, status, ms: expect.any(Number) as number, code }
  }
})

describe('the quota', () => {
  it('is spent once for a link that is already there, and twice for one that is not', async () => {
    testApp = await salesforceSetup()
    const id = await testApp.addContact({ lastName: 'Whitfield' })
    const userId = randomUUID()
    await testApp.crm.linkContact(id, userId)
    expect((await testApp.spent()).calls).toBe(2)
    await testApp.crm.linkContact(id, userId)
    expect((await testApp.spent()).calls).toBe(3)
  })
})

describe('several adapters in one process', () => {
  it('go on when one of them is closed', async () => {
    testApp = await salesforceSetup()
    const other = await salesforceSetup()
    await other.crm.upsertContact(newClient(randomUUID()))
    await other.crm.close()
    await other.crm.close()
    expect(await testApp.crm.count('contact')).toBe(0)
    await other.close()
  })
})
