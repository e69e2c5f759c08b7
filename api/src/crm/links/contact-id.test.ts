import { expect, it } from 'vitest'
import { longContactId } from './contact-id.ts'

it.each([
  ['001A0000006Vm9r', '001A0000006Vm9rIAC'],
  ['0035g00000abcde', '0035g00000abcdeAAA'],
  ['0035g00000ZZZZZ', '0035g00000ZZZZZAA5'],
  ['001A0000006Vm9rIAC', '001A0000006Vm9rIAC'],
  ['1200345', '1200345'],
])('the long form of %s is %s', (given, long) => {
  expect(longContactId(given)).toBe(long)
})
