import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAdmin, runProgram } from '@guidon/tests/admin-process'
import { afterFile } from '@guidon/tests/after-file'
import { emptyDatabase, migratedDatabase } from '@guidon/tests/databases'
import { describe, expect, inject, it, vi } from 'vitest'
import type { Environment } from '../../platform/value-files.ts'
import { version } from '../../platform/version.ts'

// Each test starts processes.
vi.setConfig({ testTimeout: 90_000 })

const STACK_TRACE = /\n\s+at /
const PASSWORD = 'Harbor-Lantern-42!'
const environment: Environment = { ...inject('environment'), LOG_LEVEL: 'error' }

it('prints the version without configuration or database', async () => {
  const { stdout } = await runAdmin(['version'], {})
  expect(stdout).toBe(`${version}\n`)
})

describe('a process that cannot start', () => {
  it.each(['admin/admin-cli', 'serve', 'work'] as const)(
    'says so without a stack trace, and exits with 1: %s',
    async (program) => {
      const changes = { ...environment, DATABASE_URL: await emptyDatabase() }
      const { stderr, status } = await runProgram(program, ['jobs'], changes)
      expect(stderr).toMatch(/lacks 0001_.*Run `npm run admin -- migrate`/)
      expect(stderr).not.toMatch(STACK_TRACE)
      expect(status).toBe(1)
    },
  )

  it('prints the stack trace with LOG_LEVEL=debug', async () => {
    const closed = environment['DATABASE_URL']!.replace(/:\d+\//, ':1/')
    const changes = { ...environment, DATABASE_URL: closed, LOG_LEVEL: 'debug' }
    const { stderr } = await runAdmin(['jobs'], changes)
    expect(stderr).toMatch(/^PostgreSQL cannot be reached \(ECONNREFUSED\)/)
    expect(stderr).toMatch(STACK_TRACE)
  })
})

it('writes a list of erasures for the operator alone, and never replaces a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-erasures-'))
  afterFile(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'erasures.json')
  const changes = { ...environment, DATABASE_URL: await migratedDatabase() }
  const write = () => runAdmin(['erasures', '--out', file], changes)
  expect(await write()).toMatchObject({ status: 0 })
  expect(statSync(file).mode.toString(8)).toBe('100600')
  const again = await write()
  expect(again.stderr).toContain(`${file} exists already. Name a new file.`)
  expect(again.status).not.toBe(0)
})

describe('a database that accepts connections and never responds', () => {
  /** AuthenticationOk and ReadyForQuery of PostgreSQL's protocol. */
  const LOGGED_IN = Buffer.from('5200000008000000005a0000000549', 'hex')

  async function silentDatabase(onStart: (socket: Socket) => void) {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.once('data', () => onStart(socket))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    afterFile(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    return `postgresql://guidon@127.0.0.1:${(server.address() as AddressInfo).port}/guidon`
  }

  describe.each([
    ['not even to a login', () => {}],
    ['after the login', (socket: Socket) => void socket.write(LOGGED_IN)],
  ])('%s', (_, onStart) => {
    // Concurrent, because each waits for timeouts.
    it.concurrent.each([
      ['doctor', 2],
      ['jobs', 1],
      ['migrate', 1],
    ])('ends %s with exit code %i', async (command, expected) => {
      const changes = { ...environment, DATABASE_URL: await silentDatabase(onStart) }
      const { stdout, stderr, status } = await runAdmin([command], changes)
      expect(stdout + stderr).toContain('PostgreSQL cannot be reached (timeout)')
      expect(status).toBe(expected)
    })
  })
})

describe('on a terminal, the password of a new account', async () => {
  const database = await migratedDatabase()

  /** Types each response after its prompt. */
  async function typed(email: string, responses: [prompt: string, text: string][]) {
    const program = join(import.meta.dirname, 'admin-cli.ts')
    const options = `--email ${email} --first-name Ada --last-name Berg --phone 6195550134 --state Ohio`
    const command = `${process.execPath} ${program} create-user ${options} --role ADMIN --operator Ada`
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      env: { ...environment, DATABASE_URL: database, PATH: '/usr/bin:/bin', SHELL: '/bin/sh' },
    })
    let screen = ''
    for await (const chunk of child.stdout) {
      screen += String(chunk)
      if (!responses[0] || !screen.endsWith(responses[0][0])) continue
      child.stdin.write(`${responses.shift()![1]}\r`)
    }
    if (child.exitCode === null) await once(child, 'close')
    return { screen, status: child.exitCode }
  }

  it('is asked for twice, and not shown', async () => {
    const email = `${randomUUID()}@example.com`
    const { screen, status } = await typed(email, [
      ['Password: ', PASSWORD],
      ['Again: ', PASSWORD],
    ])
    expect(screen).toContain(`ADMIN ${email}: created`)
    expect(screen).not.toContain('Harbor')
    expect(status).toBe(0)
  })

  it('is refused if the two entries differ', async () => {
    const { screen, status } = await typed('ada@example.com', [
      ['Password: ', PASSWORD],
      ['Again: ', `${PASSWORD}!`],
    ])
    expect(screen).toContain('The two entries differ')
    expect(status).toBe(1)
  })
})
