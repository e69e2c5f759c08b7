import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@guidon/sandbox/free-port'
import { noLog } from '@guidon/sandbox/stack/logs'
import { StackProcess } from '@guidon/sandbox/stack/stack-process'
import { startHelper } from '../support/outside/helper-process.ts'
import type { LoopResult } from '../support/outside/load.ts'
import { median, shuffled } from '../support/outside/statistics.ts'
import { startApiStack } from './api-stack.ts'
import { builtApp } from './built-app.ts'
import {
  controlFigure,
  fixed,
  loadFigure,
  printFigures,
  ratioFigure,
  report,
  verdict,
} from './figures.ts'
import type { StaticTask } from './static-load.ts'

/** The files of the first load, from the API and from one process of nginx: `apt-get install nginx-light`. */

const ROUNDS = 12
const LOOP = { concurrency: 16, warmUpMs: 500, ms: 3_000 }
const MIN_RATIO = 0.5
const CLOCK_TICKS_A_SECOND = 100

const dist = builtApp()
const html = readFileSync(join(dist, 'index.html'), 'utf8')
const paths = [...new Set(html.match(/\/assets\/[\w.-]+\.(?:js|css|woff2)(?=")/g))]

// The second one is the control.
const [nginx, again] = [await startNginx(dist), await startNginx(dist)]
const apiStack = await startApiStack({ env: { LOG_LEVEL: 'warn' } })
const { stack } = apiStack
const servers = {
  ours: { base: stack.urls.api[0]!, pid: stack.api[0]!.pid! },
  nginx,
  again,
}

/** CPU time of a process until now, in milliseconds. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
  return ((user! + system!) * 1000) / CLOCK_TICKS_A_SECOND
}

interface Measured {
  rate: number
  /** Of the server, for each response. */
  cpuMs: number
}
type Round = Record<keyof typeof servers, Measured>

async function measure({ base, pid }: { base: string; pid: number }): Promise<Measured> {
  const load = startHelper<StaticTask, LoopResult>(new URL('static-load.ts', import.meta.url))
  const before = cpuMs(pid)
  const { rate } = await load.run({ base, paths, loop: LOOP })
  load.stop()
  const seconds = (LOOP.warmUpMs + LOOP.ms) / 1000
  return { rate, cpuMs: (cpuMs(pid) - before) / (rate * seconds) }
}

const rounds: Round[] = []
try {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const measured: Partial<Round> = {}
    for (const name of shuffled(['ours', 'nginx', 'again'] as const)) {
      measured[name] = await measure(servers[name])
    }
    rounds.push(measured as Round)
    const [ours, theirs] = [measured.ours!.rate, measured.nginx!.rate]
    report(
      `round ${round} of ${ROUNDS}: API ${fixed(ours, 0)} files a second, nginx ${fixed(theirs, 0)}, ` +
        `ratio ${fixed(ours / theirs)}`,
    )
  }
} finally {
  await Promise.all([nginx.close(), again.close(), apiStack.close()])
}

const medianOf = (name: keyof Round, figure: keyof Measured) =>
  median(rounds.map((round) => round[name][figure]))
const ratio = ratioFigure(rounds.map(({ ours, nginx: theirs }) => ours.rate / theirs.rate))
const control = controlFigure(rounds.map((round) => round.again.rate / round.nginx.rate))
const reached = ratio.low >= MIN_RATIO
const lineOf = (title: string, name: keyof Round) =>
  `${title}: ${fixed(medianOf(name, 'rate'), 0)} files a second, ` +
  `${fixed(medianOf(name, 'cpuMs'), 3)} ms of CPU each`

printFigures([
  `${paths.length} files of the first load in turn, compressed, medians of ${ROUNDS} rounds`,
  lineOf('API', 'ours'),
  lineOf('nginx', 'nginx'),
  control.text,
  `API against nginx: ${ratio.text}, goal at least ${MIN_RATIO} at the lower end: ${verdict(reached)}`,
  loadFigure(),
])
process.exitCode = reached && control.valid ? 0 : 1

/** One nginx process that serves a folder with its compressed files, and sends the API's caching headers. */
async function startNginx(folder: string) {
  const dir = mkdtempSync(join(tmpdir(), 'guidon-nginx-'))
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  writeFileSync(
    join(dir, 'nginx.conf'),
    `daemon off; master_process off; pid ${dir}/pid; error_log stderr;
     events { worker_connections 1024; }
     http {
       types { text/html html; text/css css; text/javascript js; font/woff2 woff2; }
       access_log off; sendfile on; tcp_nopush on; gzip_static on; keepalive_requests 10000000;
       open_file_cache max=1000;
       client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi;
       scgi_temp_path scgi;
       server {
         listen 127.0.0.1:${port}; root ${folder};
         add_header Cache-Control "public, max-age=31536000, immutable"; add_header Vary accept-encoding;
       }
     }`,
  )
  const server = new StackProcess({
    name: 'nginx',
    program: ['nginx'],
    args: ['-e', 'stderr', '-p', dir, '-c', join(dir, 'nginx.conf')],
    cwd: dir,
    env: process.env,
    ready: { url: base },
    stopTimeoutMs: 10_000,
    log: noLog(),
    onUnexpectedExit: () => {},
  })
  await server.start()
  return {
    base,
    pid: server.pid!,
    close: async () => {
      await server.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
