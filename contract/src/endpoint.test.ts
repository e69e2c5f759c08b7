import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { endpoint, pathOf } from './endpoint.ts'
import type { ResponseOut, BodyIn, Params } from './endpoint.ts'
import { endpoints } from './endpoints.ts'

const rename = endpoint({
  method: 'PATCH',
  path: '/things/{id}/parts/{part}',
  session: 'required',
  body: z.object({ name: z.string() }),
  response: z.object({ count: z.number() }),
  failure: 'Failed to rename.',
})

describe('an endpoint', () => {
  it('has its encoded parameters in its path', () => {
    expect(pathOf(rename, { id: 'a/b?c', part: '7' })).toBe('/things/a%2Fb%3Fc/parts/7')
  })

  it('has types for its parameters, body and response', () => {
    const params: Params<typeof rename> = { id: '1', part: '2' }
    const body: BodyIn<typeof rename> = { name: 'x' }
    const response: ResponseOut<typeof rename> = { count: 1 }
    // @ts-expect-error a parameter of the path is missing
    const missing: Params<typeof rename> = { id: '1' }
    // @ts-expect-error the body has no such field
    const unknownField: BodyIn<typeof rename> = { title: 'x' }
    expect([params, body, response, missing, unknownField]).toHaveLength(5)
  })
})

describe('the list of endpoints', () => {
  it('has each method and path once', () => {
    const keys = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('limits roles only on endpoints that need a session', () => {
    const withoutSession = Object.values(endpoints).filter(
      ({ roles, session }) => roles && session !== 'required',
    )
    expect(withoutSession).toEqual([])
  })
})
