import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { cookies } from './cookies.ts'

async function appWith(publicUrl: string) {
  const app = Fastify()
  await app.register(cookie)
  const jar = cookies(publicUrl)
  app.get('/set', (_request, reply) => {
    jar.setSession(reply, { access: 'a', refresh: 'r' })
    jar.setChallenge(reply, 'c')
    jar.setDevice(reply, 'd')
    jar.setPhone(reply, 'p')
    return reply.send()
  })
  app.get('/read', (request) => ({ refresh: jar.read(request, 'refresh') }))
  return app
}

it('over https, every cookie is hidden from scripts and other sites, and bound to this host', async () => {
  const app = await appWith('https://portal.example.org')
  const { headers } = await app.inject('/set')
  const all = [headers['set-cookie'] ?? []].flat()
  const set = all.filter((each) => each.startsWith('__Host-guidon-'))
  expect(set).toHaveLength(5)
  for (const each of set) {
    const attributes = ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Strict']
    expect(each.split('; ')).toEqual(expect.arrayContaining(attributes))
    expect(each).not.toContain('Domain')
  }
})

it('the cookies of the previous release are set as well, with their paths', async () => {
  const app = await appWith('https://portal.example.org')
  const { cookies: set } = await app.inject('/set')
  const found = set.filter(({ name }) => !name.startsWith('__Host-'))
  expect(found).toMatchObject([
    { name: '__Secure-guidon-refresh', path: '/auth', value: 'r' },
    { name: '__Secure-guidon-phone', path: '/hand-offs', value: 'p' },
  ])
})

it('a cookie of the previous release is read, unless there is a new one', async () => {
  const app = await appWith('https://portal.example.org')
  const readWith = async (names: string[]) =>
    (
      await app.inject({ url: '/read', cookies: Object.fromEntries(names.map((n) => [n, n])) })
    ).json<{ refresh?: string }>().refresh
  const [earlier, current] = ['__Secure-guidon-refresh', '__Host-guidon-refresh']
  expect(await readWith([earlier])).toBe(earlier)
  expect(await readWith([earlier, current])).toBe(current)
  expect(await readWith([])).toBeUndefined()
})
