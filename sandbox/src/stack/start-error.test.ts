import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { PostgresDidNotStart } from '../postgres/server.ts'
import { UserError } from '../user-error.ts'
import { checkReachable } from './database.ts'
import { checkPortsFree, devPorts } from './dev-ports.ts'
import { ProcessDidNotStart } from './stack-process.ts'
import { startErrorText } from './start-error.ts'

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('an error while npm run dev starts', () => {
  it('has no stack trace when a command is not installed', async () => {
    const [error] = (await once(spawn('no-such-command'), 'error')) as [Error]
    expect(startErrorText(error)).toBe('Guidon did not start: spawn no-such-command ENOENT')
  })

  it('has no stack trace when PostgreSQL or a process does not start', () => {
    expect(startErrorText(new PostgresDidNotStart(5433, ['FATAL: the disk is full']))).toBe(
      'PostgreSQL did not start on port 5433:\nFATAL: the disk is full',
    )
    const cause = new Error('api ended before it was ready (exit code 1)')
    expect(startErrorText(new ProcessDidNotStart(cause, 'already printed'))).toBe(
      '\n*** api ended before it was ready (exit code 1). ***',
    )
  })

  it('has its stack trace when it is a defect', () => {
    expect(startErrorText(new TypeError('defect'))).toMatch(/^TypeError: defect\n {4}at /)
  })

  it('says that DATABASE_URL does not accept connections, without its password', async () => {
    const port = await freePort()
    const error = await errorOf(checkReachable(`postgres://guidon:secret@127.0.0.1:${port}/guidon`))
    expect(error).toBeInstanceOf(UserError)
    const text = startErrorText(error)
    expect(text).toMatch(/^PostgreSQL at DATABASE_URL does not accept connections: .*ECONNREFUSED/)
    expect(text).not.toContain('secret')
    expect(text).not.toContain('\n')
  })

  it('names the port that is in use and the variable that changes it', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const error = await errorOf(checkPortsFree(devPorts({ WEB_PORT: String(port) }), 0))
    server.close()
    expect(startErrorText(error)).toBe(
      `Port ${port} for the portal is in use. ` +
        'Stop the program that uses it, or choose another port with WEB_PORT.',
    )
  })
})
