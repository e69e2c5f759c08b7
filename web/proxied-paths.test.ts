import { endpoint } from '@guidon/contract/endpoint'
import { expect, it } from 'vitest'
import { proxiedPaths } from './proxied-paths.ts'

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
