import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { defOf, fieldsOf, LENGTH, received, slowestMs, takes } from '../test/received.ts'
import type { Schema } from '../test/received.ts'
import { endpoints } from './endpoints.ts'

const LONGEST_MS = 20

const isString = (schema: Schema) => defOf(schema).type === 'string'

/** Only the length is reported, so no other check ran. */
function lengthIsFirst(schema: Schema): boolean {
  const { error } = z.safeParse(schema, '\0'.repeat(LENGTH))
  return error?.issues.map(({ code }) => code).join() === 'too_big'
}

describe.each(received)('the $part of $name', ({ schema }) => {
  const strings = fieldsOf(schema).filter((field) => isString(field.schema))
  const names = (fields: typeof strings) => fields.map(({ path }) => path.join('.'))

  it('has no string whose length is not checked first', () => {
    expect(names(strings.filter((field) => !lengthIsFirst(field.schema)))).toEqual([])
  })

  it('has no string that accepts NUL', () => {
    expect(names(strings.filter((field) => takes(field.schema, 'Ab1!x\0Ab1!x')))).toEqual([])
  })

  it(`checks ${LENGTH} hostile characters in less than ${LONGEST_MS} ms`, () => {
    expect(slowestMs(schema)).toBeLessThan(LONGEST_MS)
  })
})

it('every path with parameters has a schema for them', () => {
  const wrong = Object.entries(endpoints).filter(
    ([, { path, params }]) => path.includes('{') !== (params !== undefined),
  )
  expect(wrong.map(([name]) => name)).toEqual([])
})
