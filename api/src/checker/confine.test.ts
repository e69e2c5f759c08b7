import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attackScript, reachedIn } from '@guidon/tests/attacks/inside-checker'
import { afterAll, expect, it } from 'vitest'
import { findBounds } from './bounds.ts'
import { inspect } from './inspect.ts'

const folder = mkdtempSync(join(tmpdir(), 'guidon-confined-'))
afterAll(() => rmSync(folder, { recursive: true }))

const secret = 'a secret that everyone on the machine may read'
const files = ['token-key', 'upload'].map((name) => {
  writeFileSync(join(folder, name), secret, { mode: 0o666 })
  return join(folder, name)
})
const own = join(folder, 'own')
writeFileSync(own, 'the file itself')
const path = join(folder, 'socket')
const abstractSocket = `guidon-${process.pid}`
const database = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
const sockets = [path, `\0${abstractSocket}`].map((at) => createServer().listen(at))
await Promise.all([database, ...sockets].map((server) => once(server, 'listening')))
afterAll(() => [database, ...sockets].forEach((server) => server.close()))
const { port } = database.address() as AddressInfo

const script = attackScript({
  files,
  pids: [process.pid],
  tcp: port,
  udp: port,
  sockets: [path],
  abstractSocket,
  secret,
})

async function reachedBy(isConfined: boolean) {
  const stdin = openSync(own, 'r')
  const result = await inspect({ script, isConfined }, { stdin, kind: 'pdf', size: 0, priority: 0 })
  if (result.outcome !== 'inspected' || 'refusal' in result.inspection) {
    throw new Error(JSON.stringify(result))
  }
  return reachedIn(result.inspection)
}

it('code inside an inspection reaches no file, process, connection or signal of others', async () => {
  const { attempts, reached } = await reachedBy(true)
  expect(reached).toEqual([])
  expect(attempts).toBeGreaterThan(90)
  // Without the bounds, the same code reaches them.
  const free = await reachedBy(false)
  expect(free.reached.length).toBeGreaterThan(20)
})

it('tells which bounds hold', async () => {
  const all = { files: true, connections: true, processes: true, signals: true }
  expect(await findBounds()).toEqual({ bounds: all, isConfined: true })
})
