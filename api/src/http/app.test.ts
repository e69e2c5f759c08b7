import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { checkAuth, login } from '@guidon/contract/auth'
import { endpoints } from '@guidon/contract/endpoints'
import { getNoticePreferencesByToken } from '@guidon/contract/notices'
import { boot } from '@guidon/tests/boot'
import { describe, expect, it } from 'vitest'
import { version } from '../platform/version.ts'

const testApp = await boot({ worker: false })
const { account, newClient, app, sql } = testApp

const SAFE = new Set<string>(['GET', 'HEAD'])
const unsafe = Object.entries(endpoints).filter(
  ([, { method, withoutOrigin }]) => !SAFE.has(method) && !withoutOrigin,
)

describe('the origin check', () => {
  const wrongOrigins: [string, Record<string, string>][] = [
    ['none', { origin: '' }],
    ['null', { origin: 'null' }],
    ['another site', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:4001' }],
    ['a look-alike', { origin: 'http://localhost:4000.evil.example' }],
  ]

  it.each(wrongOrigins)('refuses every unsafe route with origin: %s', async (_name, headers) => {
    for (const [, { method, path }] of unsafe) {
      const response = await newClient().send(method, path, {}, headers)
      expect(response).toMatchObject({ status: 403, body: { code: 'wrong_origin' } })
    }
  })

  it('leaves a refused request without effect', async () => {
    const { email, password } = await account()
    await newClient().call(login, {
      body: { email, password },
      headers: { origin: 'https://evil.example' },
    })
    const { rows } = await sql.query(
      'select count(*)::int as n from challenges join users on users.id = user_id where email = $1',
      [email],
    )
    expect(rows).toEqual([{ n: 0 }])
  })
})

describe('responses', () => {
  it('have a request id and security headers, and are not cached', async () => {
    const { headers } = await newClient().call(checkAuth, {})
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*geolocation=\(\).*payment=\(\)/)
  })

  it('allow every method of the contract to a portal on another host', async () => {
    const origin = testApp.config.PUBLIC_URL
    const methods = new Set(Object.values(endpoints).map(({ method }) => method))
    expect(methods).toContain('PATCH')
    for (const method of methods) {
      const { status, headers } = await newClient().send('OPTIONS', '/admin/users/1', undefined, {
        origin,
        'access-control-request-method': method,
      })
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
    }
  })

  it('are 404 with the same body for everything that does not exist', async () => {
    const one = await newClient().send('GET', '/admin/nothing')
    const other = await newClient().send('POST', '/nowhere/at/all', {})
    expect(one).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(other.body).toEqual(one.body)
  })

  it('have no message for a malformed request', async () => {
    const broken = await newClient().send('POST', login.path, '{"email":')
    expect(broken).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    const huge = await newClient().send('POST', login.path, { email: 'x'.repeat(100_000) })
    expect(huge).toMatchObject({ status: 413, body: { code: 'bad_request' } })
    const typed = await newClient().send('POST', login.path, 'hello', {
      'content-type': 'text/plain',
    })
    expect(typed).toMatchObject({ status: 415, body: { code: 'bad_request' } })
  })
})

describe('a hostile request', () => {
  const raw = async (method: string, path: string, headers = {}) => {
    const { port } = new URL(testApp.base)
    const sent = request({ port, method, path, headers })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: response.statusCode, body: await text(response) }
  }

  it('with the method TRACE gets nothing of itself back', async () => {
    const { status, body } = await raw('TRACE', '/', { 'x-planted': 'planted' })
    expect(status).toBe(403)
    expect(body).not.toContain('planted')
  })

  it('cannot change the prototype of objects', async () => {
    for (const name of ['__proto__', 'constructor']) {
      const body = `{"email":"x@example.org","password":"secret","${name}":{"prototype":{"a":1}}}`
      expect(await newClient().send('POST', login.path, body)).toMatchObject({ status: 400 })
    }
  })

  it('with a parameter twice, or in the query instead of the body, is refused', async () => {
    const { path } = getNoticePreferencesByToken
    expect(await newClient().send('GET', `${path}?token=a&token=b`)).toMatchObject({ status: 422 })
    const inQuery = `${login.path}?email=x@example.org&password=secret`
    expect(await newClient().send('POST', inQuery, {})).toMatchObject({ status: 422 })
  })
})

describe('the contract', () => {
  it('is bound completely: no endpoint is missing or added', () => {
    expect(app.bound).toEqual(new Set(Object.values(endpoints)))
  })

  it('is documented at /docs outside production', async () => {
    const { body } = await newClient().send('GET', '/docs/json')
    const { paths, info } = body as { paths: Record<string, object>; info: object }
    expect(info).toMatchObject({ version })
    expect(Object.keys(paths).toSorted()).toEqual(
      [...new Set(Object.values(endpoints).map(({ path }) => path))].toSorted(),
    )
    expect(await newClient().send('GET', '/docs/')).toMatchObject({ status: 200 })
  })
})

describe('the state of a process', () => {
  it('is alive and ready while PostgreSQL is available, and reports its version', async () => {
    expect(await newClient().send('GET', '/healthz')).toMatchObject({
      status: 200,
      body: { status: 'alive', version },
    })
    expect(await newClient().send('GET', '/readyz')).toMatchObject({ status: 200 })
  })
})
