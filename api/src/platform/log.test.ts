import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { createLog } from './log.ts'
import { version } from './version.ts'

function logged(fields: object): string {
  let text = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  createLog('info', 'test', sink).info(fields, 'happened')
  return text
}

it('writes the fields on the list and drops all others', () => {
  const line = logged({ status: 200, email: 'james@example.com', user: { phone: '6195550134' } })
  expect(JSON.parse(line)).toEqual({
    level: 'info',
    time: expect.any(String),
    process: 'test',
    version,
    status: 200,
    msg: 'happened',
  })
})

it('keeps the type, code and stack of an error, but not its message', () => {
  const cause = Object.assign(new Error('Key (email)=(james@example.com) exists'), {
    code: '23505',
  })
  const line = logged({ err: new TypeError('mail to james@example.com refused', { cause }) })
  expect(line).not.toContain('james')
  expect(JSON.parse(line).err).toMatchObject({
    type: 'TypeError',
    at: expect.arrayContaining([expect.stringContaining('log.test.ts')]),
    cause: { type: 'Error', code: '23505' },
  })
})
