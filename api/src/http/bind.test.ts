import { endpoint } from '@guidon/contract/endpoint'
import type { Endpoint } from '@guidon/contract/endpoint'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { bind } from './bind.ts'

const open = endpoint({
  method: 'POST',
  path: '/things/{id}',
  session: 'none',
  body: z.object({ name: z.string() }),
  response: z.object({ count: z.number() }),
  failure: 'Failed.',
})
const protectedEndpoint = endpoint({
  method: 'GET',
  path: '/mine',
  session: 'required',
  failure: 'Failed.',
})

it('does not compile if a route disagrees with the contract', () => {
  const app = Fastify()
  app.decorate('bound', new Set<Endpoint>())
  bind(app, open, ({ body, params }) => ({ count: body.name.length + params.id.length }))
  // @ts-expect-error the response has no such field
  bind(app, { ...open, path: '/a/{id}' }, () => ({ total: 1 }))
  // @ts-expect-error the body has no such field
  bind(app, { ...open, path: '/b/{id}' }, ({ body }) => ({ count: body.title }))
  // @ts-expect-error the path has no such parameter
  bind(app, { ...open, path: '/c/{id}' }, ({ params }) => ({ count: params.other.length }))
  // @ts-expect-error no session is required, so there is no user
  bind(app, { ...open, path: '/d/{id}' }, ({ user }) => ({ count: user.email.length }))
  bind(app, protectedEndpoint, ({ user }) => void user.email)
  expect(app.bound.size).toBe(6)
})

it('sends only the fields that the contract names', async () => {
  const app = Fastify()
  app.decorate('bound', new Set<Endpoint>())
  const withSecret = { count: 2, passwordHash: 'argon2id' }
  bind(app, open, () => withSecret)
  const response = await app.inject({ method: 'POST', url: '/things/1', payload: { name: 'x' } })
  expect(response.json()).toEqual({ count: 2 })
})
