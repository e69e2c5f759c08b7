import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { CRISIS_HTML } from '@guidon/contract/trust'
import { boot } from '@guidon/tests/boot'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'guidon-web-'))
afterAll(() => rmSync(folder, { recursive: true }))

const script = `console.log(${JSON.stringify('guidon '.repeat(200))})`
const web = join(folder, 'dist')
mkdirSync(join(web, 'assets'), { recursive: true })
writeFileSync(
  join(web, 'index.html'),
  `<head><title>__BRAND_NAME__</title><meta property="csp-nonce" nonce="__CSP_NONCE__"><!--guidon:brand--></head><a href="__BRAND_TEL__">__BRAND_PHONE__</a><p>__CRISIS_LINE__</p>`,
)
writeFileSync(join(web, 'assets/app-1a2b.js'), script)
writeFileSync(join(web, 'assets/app-1a2b.js.br'), brotliCompressSync(script))
writeFileSync(join(web, 'assets/app-1a2b.js.gz'), gzipSync(script))

const otherBrand = join(folder, 'brand')
cpSync(resolve(import.meta.dirname, '../../../brand'), otherBrand, { recursive: true })
const brandJson = JSON.parse(readFileSync(join(otherBrand, 'brand.json'), 'utf8'))
writeFileSync(
  join(otherBrand, 'brand.json'),
  JSON.stringify({ ...brandJson, name: 'Pennant </script><b>', phone: '1-888-555-0199' }),
)
writeFileSync(join(otherBrand, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')

const environment = { WEB_DIR: web, NODE_ENV: 'production' }
const testApp = await boot({ worker: false, environment })
const html = { accept: 'text/html' }

describe('the pages', () => {
  it('contain the brand, so that the first paint needs no other request', async () => {
    const { status, body } = await testApp.newClient().send('GET', '/signin', undefined, html)
    expect(status).toBe(200)
    expect(body).toContain('<title>Guidon</title>')
    expect(body).toMatch(/<script type="application\/json" id="guidon-brand">\{.*"1-800-555-0142"/)
    expect(body).not.toContain('no-reply@')
  })

  it('contain links to call the provider and the crisis line, before any script runs', async () => {
    const { body } = await testApp.newClient().send('GET', '/signin', undefined, html)
    expect(body).toContain('<a href="tel:+18005550142">1-800-555-0142</a>')
    expect(body).toContain(`<p>${CRISIS_HTML}</p>`)
  })

  it('name the setting for viewing files only if it is on', async () => {
    const on = await boot({
      worker: false,
      environment: { ...environment, DOCUMENT_VIEWING: 'on' },
    })
    const pageOf = async ({ newClient }: typeof on) =>
      (await newClient().send('GET', '/signin', undefined, html)).body
    expect(await pageOf(on)).toContain('"documentViewing":true')
    expect(await pageOf(testApp)).not.toContain('documentViewing')
  })

  it('are not cached, and each has its own nonce for styles', async () => {
    const load = async () => {
      const { body, headers } = await testApp.newClient().send('GET', '/signin', undefined, html)
      const nonce = String(body).match(/nonce="([^"]+)"/)?.[1]
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}'`)
      expect(headers.get('content-security-policy')).toContain("script-src 'self';")
      expect(headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'")
      expect(headers.get('permissions-policy')).toContain('microphone=()')
      return nonce
    }
    expect(await load()).not.toBe(await load())
  })

  it('have the status 404 at a path that is not a screen', async () => {
    const { status, body } = await testApp.newClient().send('GET', '/nowhere', undefined, html)
    expect(status).toBe(404)
    expect(body).toContain('guidon-brand')
  })

  it.each([undefined, '*/*', 'application/json'])(
    'are sent at / to every client, also one that accepts %s, such as an uptime check',
    async (accept) => {
      for (const method of ['GET', 'HEAD']) {
        // Unlike fetch, this sends no Accept header of its own.
        const sent = request({
          port: new URL(testApp.base).port,
          method,
          headers: accept ? { accept } : {},
        })
        sent.end()
        const [response] = (await once(sent, 'response')) as [IncomingMessage]
        const body = await text(response)
        expect(response.statusCode).toBe(200)
        expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
        expect(body.includes('guidon-brand')).toBe(method === 'GET')
      }
    },
  )

  it('are not sent to a client that accepts only JSON at a path that is not a screen', async () => {
    expect(await testApp.newClient().send('GET', '/nowhere')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })

  it('use the brand of another folder without a rebuild, and escape its text', async () => {
    const other = await boot({
      worker: false,
      environment: { ...environment, BRAND_DIR: otherBrand },
    })
    const { body } = await other.newClient().send('GET', '/signin', undefined, html)
    expect(body).toContain('<title>Pennant &#60;/script&#62;&#60;b&#62;</title>')
    expect(body).toContain('"1-888-555-0199"')
    expect(String(body).match(/<\/script>/g)).toHaveLength(1)
    const logo = await other.newClient().send('GET', '/brand/logo.svg')
    expect(logo.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
    expect(logo.body).toBe('<svg xmlns="http://www.w3.org/2000/svg"/>')
  })
})

describe('the files', () => {
  const path = '/assets/app-1a2b.js'

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])(
    'are sent to a browser that accepts %s with the content encoding %s',
    async (accepted, sent) => {
      const { headers, body } = await testApp
        .newClient()
        .send('GET', path, undefined, { 'accept-encoding': accepted })
      expect(headers.get('content-encoding')).toBe(sent)
      expect(headers.get('vary')).toContain('accept-encoding')
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(body).toBe(script)
    },
  )

  it('are not sent again to a browser that has cached them', async () => {
    const first = await testApp.newClient().send('GET', path)
    const etag = first.headers.get('etag') ?? ''
    const again = await testApp.newClient().send('GET', path, undefined, { 'if-none-match': etag })
    expect(again.status).toBe(304)
  })

  it('include neither files outside of the folder nor brand.json', async () => {
    for (const notServed of [
      '/../brand/brand.json',
      '/assets/..%2f..%2fbrand%2fbrand.json',
      '/brand/brand.json',
    ]) {
      expect(await testApp.newClient().send('GET', notServed)).toMatchObject({ status: 404 })
    }
  })
})

it('does not serve the API page in production', async () => {
  expect(await testApp.newClient().send('GET', '/docs/json')).toMatchObject({ status: 404 })
})
