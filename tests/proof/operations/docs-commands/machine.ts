import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { endWithParent } from '@guidon/sandbox/watchdog'

const ROOT = resolve(import.meta.dirname, '../../../..')
export const PATH = '/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin'

export interface Result {
  status: number
  output: string
}

/** Replaces docker: passes the command to the proof, which runs it without containers. */
const DOCKER = `#!/usr/bin/env node
const isInteractive = process.argv.includes('run') || process.argv.includes('exec')
const body = JSON.stringify({ args: process.argv.slice(2), input: isInteractive ? require('node:fs').readFileSync(0, 'utf8') : '' })
require('node:http').request({ socketPath: '/run/proof/docker.sock', method: 'POST' }, async (response) => {
  const { status, output } = JSON.parse(await require('node:stream/consumers').text(response))
  process[status === 0 ? 'stdout' : 'stderr'].write(output, () => process.exit(status))
}).end(body)
`
const SUDO = '#!/bin/sh\nexec "$@"\n'

/**
 * A copy of this machine for the commands of the pages: what they write goes to `folder`, and its network has only
 * the loopback interface, so all ports are free. The checkout of the repository is /guidon.
 */
export async function startMachine(folder: string) {
  const [upper, work, root, run] = ['upper', 'work', 'root', 'run'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  for (const path of [upper, work, root, run]) mkdirSync(path, { recursive: true })
  const repository = join(folder, 'repository')
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0')
  for (const file of files.filter(Boolean)) cpSync(join(ROOT, file), join(repository, file))

  const tools = execFileSync(join(ROOT, '.ci/postgres-tools'), { encoding: 'utf8' }).trim()
  const addProgram = (name: string, content: string) => {
    const path = join(upper, 'usr/local/bin', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content, { mode: 0o755 })
  }
  addProgram('docker', DOCKER)
  addProgram('sudo', SUDO)
  // Only a mount point: the Node.js of this process is mounted on it.
  addProgram('node', '')
  const setUp = `set -e
    mount -t overlay overlay -o lowerdir=/,upperdir=${upper},workdir=${work} ${root}
    cd ${root}
    mkdir -p guidon run/proof
    mount --bind ${repository} guidon
    for workspace in . api web e2e sandbox; do
      [ -d ${ROOT}/$workspace/node_modules ] || continue
      own=${folder}/packages/$workspace
      mkdir -p $own/upper $own/work guidon/$workspace/node_modules
      mount -t overlay overlay -o lowerdir=${ROOT}/$workspace/node_modules,upperdir=$own/upper,workdir=$own/work \\
        guidon/$workspace/node_modules
    done
    mount --bind ${process.execPath} usr/local/bin/node
    mount --bind ${run} run/proof
    for tool in ${tools}/*; do ln -sf $tool usr/local/bin/; done
    chmod 711 root root/.cache root/.cache/guidon 2>/dev/null || true
    mount --rbind /dev dev
    mount --rbind /proc proc
    mount -t tmpfs -o mode=1777 tmpfs tmp
    ln -sfn /guidon/deploy/secrets run/secrets
    ip link set lo up
    echo ready
    exec chroot . sleep infinity`
  const holder = spawn(
    'unshare',
    ['--mount', '--net', '--propagation=private', 'sh', '-c', setUp],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    },
  )
  const watchdog = endWithParent(holder.pid!, 'KILL')
  const [first] = (await Promise.race([
    once(holder.stdout, 'data'),
    once(holder, 'exit').then(() => ['']),
  ])) as [Buffer | string]
  if (String(first).trim() !== 'ready') throw new Error('the copy of this machine did not start')

  /** Enters the copy, and changes to the folder of the repository. */
  const enter = [
    'nsenter',
    `--target=${holder.pid}`,
    '--mount',
    '--net',
    '--root',
    '--wd',
    'sh',
    '-c',
    'cd /guidon && exec "$@"',
    'sh',
  ] as const

  async function runIn(
    args: readonly string[],
    env: Record<string, string>,
    input = '',
    timeoutMs = 300_000,
  ): Promise<Result> {
    const child: ChildProcess = spawn(enter[0], [...enter.slice(1), ...args], {
      env: { PATH, HOME: '/root', LC_ALL: 'C.UTF-8', ...env },
      cwd: '/',
      stdio: 'pipe',
      timeout: timeoutMs,
    })
    child.stdin!.on('error', () => {})
    child.stdin!.end(input)
    const [out, errors] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'close'),
    ])
    return { status: child.exitCode ?? 124, output: out + errors }
  }

  return {
    repository,
    enter,
    run: runIn,
    /** Calls `handler` for every docker command. */
    async serveDocker(handler: (args: string[], input: string) => Promise<Result>) {
      const server = createServer((request, response) => {
        void json(request)
          .then(async (body) => {
            const { args, input } = body as { args: string[]; input: string }
            return handler(args, input)
          })
          .catch((error: unknown) => ({ status: 1, output: `${String(error)}\n` }))
          .then((result) => response.end(JSON.stringify(result)))
      })
      server.requestTimeout = 0
      server.listen(join(run, 'docker.sock'))
      await once(server, 'listening')
      return () => server.close().closeAllConnections()
    },
    async stop() {
      holder.kill('SIGKILL')
      await watchdog.release()
    },
  }
}
export type Machine = Awaited<ReturnType<typeof startMachine>>
