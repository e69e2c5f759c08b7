import { createSign, generateKeyPairSync } from 'node:crypto'
import { Connection } from '@jsforce/jsforce-node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SANDBOX_CLIENT } from './rest/sessions.ts'
import { startSalesforce } from './salesforce.ts'
import type { Salesforce } from './salesforce.ts'
import { connect, request } from './testing.ts'

let salesforce: Salesforce

beforeEach(async () => {
  salesforce = await startSalesforce({ dailyLimit: 5 })
})
afterEach(() => salesforce.close())

describe('a token', () => {
  const JWT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const soon = () => Math.floor(Date.now() / 1000) + 120

  function assertion(claims: Record<string, unknown> = {}, alg = 'RS256'): string {
    const all = {
      iss: SANDBOX_CLIENT.id,
      sub: 'integration@guidon.example',
      aud: salesforce.url,
      exp: soon(),
      ...claims,
    }
    const text = `${encode({ alg })}.${encode(all)}`
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`
  }

  async function authorize(params: Record<string, string>, clientSecret?: string) {
    const connection = new Connection({
      version: '64.0',
      oauth2: {
        clientId: SANDBOX_CLIENT.id,
        loginUrl: salesforce.url,
        ...(clientSecret === undefined ? {} : { clientSecret }),
      },
    })
    await connection.authorize(params as { grant_type: string })
    return connection
  }

  it('is granted for the right credentials, and queries work with it', async () => {
    const connection = await authorize({ grant_type: 'client_credentials' }, SANDBOX_CLIENT.secret)
    expect(connection.instanceUrl).toBe(salesforce.url)
    expect(await connection.query('SELECT Id FROM User')).toMatchObject({ totalSize: 2 })
  })

  it('is granted for a signed assertion', async () => {
    const connection = await authorize({ grant_type: JWT, assertion: assertion() })
    expect(await connection.query('SELECT Id FROM User')).toMatchObject({ totalSize: 2 })
  })

  it('is not granted for the wrong secret or another grant', async () => {
    await expect(authorize({ grant_type: 'client_credentials' }, 'wrong')).rejects.toThrow(
      'invalid client credentials',
    )
    await expect(authorize({ grant_type: 'magic' })).rejects.toThrow('grant type not supported')
  })

  it.each([
    ['nonsense', () => 'nonsense'],
    ['another client', () => assertion({ iss: 'someone' })],
    ['no subject', () => assertion({ sub: '' })],
    ['an expiry in the past', () => assertion({ exp: soon() - 600 })],
    ['an expiry too far ahead', () => assertion({ exp: soon() + 600 })],
    ['claims that are not an object', () => `${encode({ alg: 'RS256' })}.${encode(null)}.x`],
    ['no signature', () => assertion().replace(/[^.]+$/, '')],
    ['another algorithm', () => assertion({}, 'none')],
  ])('is not granted for an assertion with %s', async (_, made) => {
    await expect(authorize({ grant_type: JWT, assertion: made() })).rejects.toThrow(
      /invalid|expired/,
    )
  })

  it('is granted only for the right signature if the public key of the client is known', async () => {
    const key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const strict = await startSalesforce({ client: { ...SANDBOX_CLIENT, publicKey: key } })
    try {
      const grant = (signed: string) =>
        fetch(`${strict.url}/services/oauth2/token`, {
          method: 'POST',
          body: new URLSearchParams({ grant_type: JWT, assertion: signed }),
        })
      expect((await grant(assertion())).status).toBe(200)
      const forged = assertion().replace(/[^.]+$/, Buffer.alloc(256, 7).toString('base64url'))
      expect((await grant(forged)).status).toBe(400)
    } finally {
      await strict.close()
    }
  })

  it('is required for every call', async () => {
    const response = await fetch(`${salesforce.url}/services/data/v64.0/limits`, {
      headers: { authorization: 'Bearer nonsense' },
    })
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual([
      { message: 'Session expired or invalid', errorCode: 'INVALID_SESSION_ID' },
    ])
  })
})

describe('the quota', () => {
  it('is part of each response, and further calls are refused when it is used up', async () => {
    const connection = await connect(salesforce.url)
    const query = () => request(connection, '/query?q=SELECT+Id+FROM+User')
    for (let call = 1; call <= 4; call += 1) {
      await query()
      expect(connection.limitInfo.apiUsage).toEqual({ used: call, limit: 5 })
    }
    expect(await connection.limits()).toEqual({ DailyApiRequests: { Max: 5, Remaining: 0 } })
    await expect(query()).rejects.toMatchObject({ errorCode: 'REQUEST_LIMIT_EXCEEDED' })
    const stats = await (await fetch(`${salesforce.url}/stats`)).json()
    expect(stats).toMatchObject({ used: 5, max: 5, calls: { token: 1, query: 5, limits: 1 } })
  })
})

describe('the description', () => {
  it('has the objects, fields, lengths, picklists and keys of the deployable source', async () => {
    const connection = await connect(salesforce.url)
    const { sobjects } = await connection.describeGlobal()
    expect(sobjects.map(({ name }) => name)).toEqual([
      'Contact',
      'User',
      'Appointment__c',
      'Claim__c',
      'Contact_Request__c',
      'Document_Category__mdt',
      'Document_Request__c',
      'Intake__c',
    ])
    const intake = await connection.describe('Intake__c')
    const field = (name: string) => intake.fields.find((described) => described.name === name)
    expect(field('Portal_Intake_Id__c')).toMatchObject({
      type: 'string',
      length: 36,
      externalId: true,
      unique: true,
      nillable: false,
    })
    expect(field('Veteran__c')).toMatchObject({
      type: 'reference',
      referenceTo: ['Contact'],
      relationshipName: 'Veteran__r',
    })
    expect(field('Disability_Rating__c')!.picklistValues!.map(({ value }) => value)).toEqual([
      'Not Service Connected',
      '0%',
      '10%',
      '20%',
      '30%',
      '40%',
      '50%',
      '60%',
      '70%',
      '80%',
      '90%',
      '100%',
    ])
    expect(field('State__c')!.picklistValues).toHaveLength(50)
    await expect(connection.describe('Opportunity')).rejects.toMatchObject({
      errorCode: 'NOT_FOUND',
    })
  })

  it('is not found for another API version', async () => {
    const old = await connect(salesforce.url)
    old.version = '50.0'
    await expect(old.describeGlobal()).rejects.toMatchObject({ errorCode: 'NOT_FOUND' })
  })
})
