import { appendFile, cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRunning, processIdentity } from '../process-identity.ts'
import { fileLog } from './logs.ts'
import { startStack } from './stack.ts'
import type { Stack, StackOptions } from './stack.ts'

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
    scripts: {
      serve: 'sandbox/src/stack/fixtures/serve.ts',
      work: 'sandbox/src/stack/fixtures/work.ts',
      admin: 'sandbox/src/stack/fixtures/admin.ts',
    },
    ...options,
  })
  return stack
}

async function look(url: string): Promise<{ pid: number; publicUrl: string }> {
  return (await (await fetch(url)).json()) as { pid: number; publicUrl: string }
}

const identities = ({ api, workers }: Stack) =>
  [...api, ...workers].map(({ pid }) => processIdentity(pid ?? 0) ?? 'not running')

describe('the stack', () => {
  it('starts every part, and stops them all in order', async () => {
    const logFile = join(dataDir, 'stack.log')
    const { urls, ...rest } = await start({ apis: 2, workers: 2, log: fileLog(logFile) })
    expect(urls.portal).toMatch(/^http:\/\/localhost:\d+$/)
    expect(await look(urls.api[1]!)).toEqual({ pid: rest.api[1]!.pid, publicUrl: urls.portal })
    expect((await fetch(`${urls.mailbox}/stats`)).status).toBe(200)
    const processes = identities(stack!)
    expect(processes.filter(isRunning)).toHaveLength(4)
    await stack!.stop()
    expect(processes.filter(isRunning)).toEqual([])
    expect(await readFile(logFile, 'utf8')).toContain('api-2 | closed in order')
  })

  it('kills a server, goes on behind the balancer, and starts it again in its place', async () => {
    const { api, urls } = await start({ apis: 2, workers: 0, balancer: true })
    const [first, second] = api.map(({ pid }) => pid)
    await api[0]!.kill()
    expect([(await look(urls.portal)).pid, (await look(urls.portal)).pid]).toEqual([second, second])
    await api[0]!.start()
    const seen = new Set([(await look(urls.portal)).pid, (await look(urls.portal)).pid])
    expect(seen).toEqual(new Set([second, api[0]!.pid]))
    expect(api[0]!.pid).not.toBe(first)
  })

  it('tells of a process that ended unasked', async () => {
    const death = Promise.withResolvers<string[]>()
    const { api, urls } = await start({ onDeath: (...what) => death.resolve(what) })
    await fetch(`${urls.api[0]}/exit`).catch(() => {})
    expect((await death.promise).slice(0, 2)).toEqual(['api', 'exit code 3'])
    expect(api[0]!.running).toBe(false)
  })

  it.each([false, true])('leaves nothing behind a failed start (watching: %s)', async (watch) => {
    const logFile = join(dataDir, 'stack.log')
    const failing = start({ watch, env: { WORKER_FAILS: 'yes' }, log: fileLog(logFile) })
    await expect(failing).rejects.toThrow('the worker cannot start')
    const pids = [...(await readFile(logFile, 'utf8')).matchAll(/process (\d+)/g)]
    expect(pids.length).toBeGreaterThan(0)
    for (const [, pid] of pids) expect(processIdentity(Number(pid))).toBeUndefined()
  })

  it('starts the new code when watched code changes, and stops that too', async () => {
    await cp(join(import.meta.dirname, 'fixtures'), dataDir, { recursive: true })
    const serve = join(dataDir, 'serve.ts')
    const changed = Promise.withResolvers<number>()
    const line = (_: string, text: string) => {
      if (text.startsWith('changed ')) changed.resolve(Number(text.slice('changed '.length)))
    }
    await start({
      watch: true,
      workers: 0,
      scripts: { serve },
      log: { line, close: async () => {} },
    })
    await appendFile(serve, "console.log('changed', process.pid)\n")
    const running = processIdentity(await changed.promise)
    await stack!.stop()
    expect(isRunning(running ?? 'not running')).toBe(false)
  })

  it('keeps its keys from one start to the next, for its own eyes', async () => {
    const read = () => readFile(join(dataDir, 'secrets.json'), 'utf8')
    await start()
    const first = await read()
    await stack!.stop()
    await start()
    expect(await read()).toBe(first)
    expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600)
  })

  it('runs the command line tool', async () => {
    const { admin } = await start({ apis: 1, workers: 0 })
    expect(await admin(['set-role', '--email', 'a@example.com'], 'in')).toBe(
      'set-role --email a@example.com in\n',
    )
  })
})
