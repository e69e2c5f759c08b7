import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRunning, processIdentity } from '../process-identity.ts'
import { fileLog } from './logs.ts'
import type { StackOptions } from './options.ts'
import { startStack } from './stack.ts'
import type { Stack } from './stack.ts'

let dataDir: string
let stack: Stack | undefined

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'guidon-stack-test-'))
})
afterEach(async () => {
  await stack?.stop()
  stack = undefined
  await rm(dataDir, { recursive: true, force: true })
})

async function start(options: Partial<StackOptions> = {}): Promise<Stack> {
  stack = await startStack({
    dataDir,
    mode: 'test',
    databaseUrl: 'postgres://unused@127.0.0.1/unused',
    scanner: false,
    scripts: {
      serve: 'sandbox/src/stack/fixtures/serve.ts',
      work: 'sandbox/src/stack/fixtures/work.ts',
      admin: 'sandbox/src/stack/fixtures/admin.ts',
    },
    ...options,
  })
  return stack
}

async function read(url: string): Promise<{ pid: number; publicUrl: string }> {
  return (await (await fetch(url)).json()) as { pid: number; publicUrl: string }
}

const identities = ({ api, workers }: Stack) =>
  [...api, ...workers].map(({ pid }) => processIdentity(pid ?? 0) ?? 'not running')

describe('the stack', () => {
  it('starts every part, and stops them all gracefully', async () => {
    const logFile = join(dataDir, 'stack.log')
    const log = fileLog(logFile)
    const { urls, ...rest } = await start({ apis: 2, workers: 2, scanner: true, log })
    expect(existsSync(rest.environment['CLAMD_ADDRESS']!)).toBe(true)
    expect(urls.portal).toMatch(/^http:\/\/localhost:\d+$/)
    expect(await read(urls.api[1]!)).toEqual({ pid: rest.api[1]!.pid, publicUrl: urls.portal })
    expect((await fetch(`${urls.mailbox}/stats`)).status).toBe(200)
    const processes = identities(stack!)
    expect(processes.filter(isRunning)).toHaveLength(4)
    await stack!.stop()
    expect(processes.filter(isRunning)).toEqual([])
    expect(await readFile(logFile, 'utf8')).toContain('api-2 | closed gracefully')
  })

  it('without a scanner, gives the API the address of a socket that does not exist', async () => {
    const { environment } = await start({ workers: 0 })
    await expect(once(connect(environment['CLAMD_ADDRESS']!), 'connect')).rejects.toThrow('ENOENT')
  })

  it('works behind the balancer while a server is killed and restarted', async () => {
    const { api, urls } = await start({ apis: 2, workers: 0, balancer: true })
    const [first, second] = api.map(({ pid }) => pid)
    await api[0]!.kill()
    expect([(await read(urls.portal)).pid, (await read(urls.portal)).pid]).toEqual([second, second])
    await api[0]!.start()
    const seen = new Set([(await read(urls.portal)).pid, (await read(urls.portal)).pid])
    expect(seen).toEqual(new Set([second, api[0]!.pid]))
    expect(api[0]!.pid).not.toBe(first)
  })

  it('reports a process that ended unexpectedly', async () => {
    const exit = Promise.withResolvers<string[]>()
    const { api, urls } = await start({ onUnexpectedExit: (...what) => exit.resolve(what) })
    await fetch(`${urls.api[0]}/exit`).catch(() => {})
    expect((await exit.promise).slice(0, 2)).toEqual(['api', 'exit code 3'])
    expect(api[0]!.running).toBe(false)
  })

  it.each([false, true])('leaves no process after a failed start (watch: %s)', async (watch) => {
    const logFile = join(dataDir, 'stack.log')
    const failing = start({ watch, env: { WORKER_FAILS: 'yes' }, log: fileLog(logFile) })
    await expect(failing).rejects.toThrow('the worker cannot start')
    const pids = [...(await readFile(logFile, 'utf8')).matchAll(/process (\d+)/g)]
    expect(pids.length).toBeGreaterThan(0)
    for (const [, pid] of pids) expect(processIdentity(Number(pid))).toBeUndefined()
  })

  it('restarts a process when its code changes, and stops the new one', async () => {
    await cp(join(import.meta.dirname, 'fixtures'), dataDir, { recursive: true })
    const serve = join(dataDir, 'serve.ts')
    const changed = Promise.withResolvers<number>()
    const line = (_: string, text: string) => {
      if (text.startsWith('changed ')) changed.resolve(Number(text.slice('changed '.length)))
    }
    await start({
      watch: true,
      workers: 0,
      scripts: { serve, admin: join(dataDir, 'admin.ts') },
      log: { line, close: async () => {} },
    })
    await appendFile(serve, "console.log('changed', process.pid)\n")
    const running = processIdentity(await changed.promise)
    await stack!.stop()
    expect(isRunning(running ?? 'not running')).toBe(false)
  })

  it('keeps its keys between starts, in a file that only its user can read', async () => {
    const secrets = () => readFile(join(dataDir, 'secrets.json'), 'utf8')
    await start()
    const first = await secrets()
    await stack!.stop()
    await start()
    expect(await secrets()).toBe(first)
    expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600)
  })

  it('runs the admin CLI', async () => {
    const { admin } = await start({ apis: 1, workers: 0 })
    expect(await admin(['set-role', '--email', 'a@example.com'], 'in')).toBe(
      'set-role --email a@example.com in\n',
    )
  })
})
