import { checkAuth, login, logout } from '@guidon/contract/auth'
import { endpoint } from '@guidon/contract/endpoint'
import * as z from 'zod/mini'
import { call } from './call.ts'

const withParams = endpoint({
  method: 'GET',
  path: '/things/{id}',
  session: 'required',
  query: z.object({ order: z.enum(['asc', 'desc']) }),
  failure: 'Failed.',
})

/** Checked by `tsc`, never run: each line under an expected error must not compile. */
export async function typedCalls(): Promise<void> {
  const none: undefined = await call(login, { body: { email: 'a@b.co', password: 'secret' } })
  const role: 'USER' | 'STAFF' | 'ADMIN' = (await call(checkAuth)).user.role
  await call(logout)
  await call(logout, { signal: AbortSignal.abort() })
  await call(withParams, { params: { id: '1' }, query: { order: 'asc' } })

  // @ts-expect-error a body is required
  await call(login)
  // @ts-expect-error a field is missing
  await call(login, { body: { email: 'a@b.co' } })
  // @ts-expect-error a field is unknown
  await call(login, { body: { email: 'a@b.co', password: 'secret', remember: true } })
  // @ts-expect-error the endpoint takes no body
  await call(logout, { body: {} })
  // @ts-expect-error a path parameter is required
  await call(withParams, { query: { order: 'asc' } })
  // @ts-expect-error the value is not in the query's enum
  await call(withParams, { params: { id: '1' }, query: { order: 'up' } })
  // @ts-expect-error the response has no such field
  void (await call(checkAuth)).user.password
  void [none, role]
}
