import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { someone } from '../../../test/crm/crm-write-suite.ts'
import { salesforceHouse } from '../../../test/crm/salesforce-setup.ts'
import type { SalesforceHouse } from '../../../test/crm/salesforce-setup.ts'

let house: SalesforceHouse
afterEach(() => house.close())

const UNAVAILABLE = { name: 'CrmUnavailable' }

describe('a token', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const jwt = { kind: 'jwt', username: 'portal@guidon.example' } as const

  it('is granted for an assertion that our key signed', async () => {
    house = await salesforceHouse({ publicKey, auth: { ...jwt, privateKey } })
    expect(await house.crm.count('user')).toBe(2)
    await house.outage('expired-token', { times: 1 })
    expect(await house.crm.count('user')).toBe(2)
  })

  it('is not granted for one of another key, and is not asked for again at once', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const key = other.export({ type: 'pkcs8', format: 'pem' }).toString()
    house = await salesforceHouse({ publicKey, auth: { ...jwt, privateKey: key } })
    const asks = Array.from({ length: 5 }, () => house.crm.count('user'))
    for (const ask of asks) {
      await expect(ask).rejects.toMatchObject({ ...UNAVAILABLE, code: 'invalid_grant' })
    }
    await expect(house.crm.count('user')).rejects.toMatchObject({ code: 'invalid_grant' })
    expect(await house.spent()).toEqual({ calls: 0, tokens: 1 })
  })

  it('cannot be asked for with a key that is none', async () => {
    house = await salesforceHouse({ auth: { ...jwt, privateKey: 'nonsense' } })
    await expect(house.crm.count('user')).rejects.toMatchObject({ code: 'UNUSABLE_KEY' })
    expect((await house.spent()).tokens).toBe(0)
  })

  it('is not granted for a wrong secret, and is asked for once in half a minute', async () => {
    const auth = { kind: 'client-credentials', clientSecret: 'wrong' } as const
    house = await salesforceHouse({ auth })
    const refused = { ...UNAVAILABLE, code: 'invalid_client' }
    await expect(house.crm.count('user')).rejects.toMatchObject(refused)
    await expect(house.crm.upsertContact(someone())).rejects.toMatchObject(refused)
    expect((await house.spent()).tokens).toBe(1)
    house.pass(30_000)
    await expect(house.crm.count('user')).rejects.toMatchObject(refused)
    expect((await house.spent()).tokens).toBe(2)
  })

  it('that did not come because of the network is asked for by the next call', async () => {
    house = await salesforceHouse()
    for (const mode of ['down', '500', 'truncated'] as const) {
      await house.control.fault({ mode, times: 1, match: 'oauth2/token' })
      await expect(house.crm.count('user')).rejects.toMatchObject(UNAVAILABLE)
    }
    expect(await house.crm.count('user')).toBe(2)
  })
})

describe('a log', () => {
  it('names calls without ids, queries, tokens and what was sent', async () => {
    house = await salesforceHouse()
    const contact = someone()
    const id = await house.crm.upsertContact(contact)
    await house.crm.findContacts(contact.email, randomUUID())
    await house.crm.setBoxFolder(id, '4711')
    await house.crm.veteran(id)
    await house.crm.upsertContact({ ...contact, email: 'nonsense' }).catch(() => {})
    expect(house.lines.map(([fields]) => fields)).toEqual([
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
    house = await salesforceHouse()
    const id = await house.addContact({ lastName: 'Whitfield' })
    const userId = randomUUID()
    await house.crm.linkContact(id, userId)
    expect((await house.spent()).calls).toBe(2)
    await house.crm.linkContact(id, userId)
    expect((await house.spent()).calls).toBe(3)
  })
})

describe('several adapters in one process', () => {
  it('go on when one of them is closed', async () => {
    house = await salesforceHouse()
    const other = await salesforceHouse()
    await other.crm.upsertContact(someone(randomUUID()))
    await other.crm.close()
    await other.crm.close()
    expect(await house.crm.count('contact')).toBe(0)
    await other.close()
  })
})
