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
  return app
}

it('over https, every cookie is hidden from scripts and other sites, and bound to this host', async () => {
  const app = await appWith('https://portal.example.org')
  const { headers } = await app.inject('/set')
  const set = [headers['set-cookie'] ?? []].flat()
  expect(set).toHaveLength(5)
  for (const each of set) {
    expect(each).toMatch(/^__Host-guidon-/)
    const attributes = ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Strict']
    expect(each.split('; ')).toEqual(expect.arrayContaining(attributes))
    expect(each).not.toContain('Domain')
  }
})
