import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { noLog } from './logs.ts'
import { SCRIPTS } from './options.ts'
import type { StackOptions } from './options.ts'
import { StackProcess } from './stack-process.ts'
import type { ProcessPlan } from './stack-process.ts'

const STOP_TIMEOUT_MS = 10_000
/** The size of V8's young generation in the product's own start commands: keeps memory flat. */
const SEMI_SPACE = '--max-semi-space-size=16'

interface ProductPlan {
  root: string
  env: NodeJS.ProcessEnv
  apiPorts: readonly number[]
  portal: string
}

/** API, workers and Vite as processes that are not started yet. */
export async function productProcesses(
  options: StackOptions,
  { root, env, apiPorts, portal }: ProductPlan,
) {
  const { workers: workerCount = 1, program, log = noLog() } = options
  const { stopTimeoutMs = STOP_TIMEOUT_MS, onUnexpectedExit = () => {} } = options
  const scripts = { ...SCRIPTS, ...options.scripts }
  const newProcess = (
    own: Pick<ProcessPlan, 'name' | 'args' | 'env' | 'ready'> & Partial<ProcessPlan>,
  ) =>
    new StackProcess({
      cwd: root,
      ...own,
      stopTimeoutMs,
      log,
      onUnexpectedExit: ({ name, lastLines }, how) => onUnexpectedExit(name, how, lastLines),
    })
  const metricsPorts = async (count: number) =>
    options.metrics ? Promise.all(Array.from({ length: count }, () => freePort())) : []
  const metrics = {
    api: await metricsPorts(apiPorts.length),
    workers: await metricsPorts(workerCount),
  }
  const watch = options.watch ? ['--watch', '--watch-preserve-output'] : []
  // `program` runs the scripts of an image, which has its own flags.
  const flags = program ? [] : [SEMI_SPACE, ...watch]

  const api = apiPorts.map((port, index) =>
    newProcess({
      name: numbered('api', index, apiPorts.length),
      program,
      args: [...flags, scripts.serve],
      env: { ...env, PORT: String(port), ...metricsEnv(metrics.api[index]) },
      ready: { url: `http://127.0.0.1:${port}/readyz` },
    }),
  )
  // As in deploy/compose.yaml, workers do not get the pepper.
  const { PASSWORD_PEPPER: _pepper, ...workerEnv } = env
  const workers = Array.from({ length: workerCount }, (_, index) =>
    newProcess({
      name: numbered('worker', index, workerCount),
      program,
      args: [...flags, scripts.work],
      env: { ...workerEnv, ...options.workerEnv, ...metricsEnv(metrics.workers[index]) },
      ready: { line: '"msg":"worker ready"' },
    }),
  )
  const web = options.vite
    ? newProcess({
        name: 'web',
        args: [join(root, 'node_modules/vite/bin/vite.js')],
        cwd: join(root, 'web'),
        env: {
          ...process.env,
          WEB_PORT: new URL(portal).port,
          API_URL: `http://127.0.0.1:${apiPorts[0]}`,
        },
        ready: { url: portal },
      })
    : undefined
  const metricsUrls = {
    api: metrics.api.map(metricsUrl),
    workers: metrics.workers.map(metricsUrl),
  }
  return { api, workers, web, metricsUrls }
}

function numbered(name: string, index: number, count: number): string {
  return count === 1 ? name : `${name}-${index + 1}`
}

function metricsEnv(port: number | undefined) {
  return port === undefined ? {} : { METRICS_HOST: '127.0.0.1', METRICS_PORT: String(port) }
}

function metricsUrl(port: number): string {
  return `http://127.0.0.1:${port}/metrics`
}
