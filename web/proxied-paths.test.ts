import { endpoint } from '@guidon/contract/endpoint'
import { screens } from '@guidon/contract/screens'
import { expect, it } from 'vitest'
import { pageAt, proxiedPaths } from './proxied-paths.ts'

const users = endpoint({
  method: 'GET',
  path: '/admin/users',
  session: 'required',
  failure: 'Failed.',
})
const proxied = new RegExp(proxiedPaths({ users }))

it.each(['/admin/users', '/admin?x=1', '/docs', '/docs/json', '/healthz'])('proxies %s', (path) => {
  expect(path).toMatch(proxied)
})

it.each(['/admin-dashboard', '/', '/signin', '/src/admin/x.ts'])('serves %s itself', (path) => {
  expect(path).not.toMatch(proxied)
})

it('serves the page of the link in emails itself, and proxies its one click', () => {
  const url = `${screens.unsubscribe}?token=abc`
  expect(pageAt({ method: 'GET', url })).toBe('/index.html')
  expect(pageAt({ method: 'POST', url })).toBeUndefined()
  expect(pageAt({ method: 'GET', url: '/notices/preferences?token=abc' })).toBeUndefined()
})
