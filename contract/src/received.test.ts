import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import {
  defOf,
  fieldsOf,
  HOSTILE_LENGTH,
  receivedSchemas,
  slowestMs,
  accepts,
} from '../test/received.ts'
import type { Schema } from '../test/received.ts'
import { endpoints } from './endpoints.ts'

const LONGEST_MS = 20

const isString = (schema: Schema) => defOf(schema).type === 'string'

/** Only the length is reported, so no other check ran. */
function lengthIsFirst(schema: Schema): boolean {
  const { error } = z.safeParse(schema, '\0'.repeat(HOSTILE_LENGTH))
  return error?.issues.map(({ code }) => code).join() === 'too_big'
}

describe.each(receivedSchemas)('the $part of $name', ({ schema }) => {
  const strings = fieldsOf(schema).filter((field) => isString(field.schema))
  const names = (fields: typeof strings) => fields.map(({ path }) => path.join('.'))

  it('checks the length of every string before anything else', () => {
    expect(names(strings.filter((field) => !lengthIsFirst(field.schema)))).toEqual([])
  })

  it('refuses NUL in every string', () => {
    expect(names(strings.filter((field) => accepts(field.schema, 'Ab1!x\0Ab1!x')))).toEqual([])
  })

  it(`checks ${HOSTILE_LENGTH} hostile characters in less than ${LONGEST_MS} ms`, () => {
    expect(slowestMs(schema)).toBeLessThan(LONGEST_MS)
  })
})

it('has a schema for the parameters of every path that has any', () => {
  const wrong = Object.entries(endpoints).filter(
    ([, { path, params }]) => path.includes('{') !== (params !== undefined),
  )
  expect(wrong.map(([name]) => name)).toEqual([])
})
