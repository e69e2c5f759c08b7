import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@guidon/sandbox/free-port'
import { endWithParent } from '@guidon/sandbox/watchdog'
import { vi } from 'vitest'

const run = promisify(execFile)
export const MONITORING_DIR = resolve(import.meta.dirname, '../../deploy/monitoring')
export const rules = readFileSync(join(MONITORING_DIR, 'alerts.yml'), 'utf8')
export const alertNames = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)

/** The same rules with short times: `for` is two seconds, and every window ten seconds. */
const fastRules = rules.replaceAll(/\bfor: \d+m\b/g, 'for: 2s').replaceAll(/\[\d+m\]/g, '[10s]')

export async function promtool(...args: string[]): Promise<string> {
  const { stdout, stderr } = await run('promtool', args, { cwd: MONITORING_DIR })
  return stdout + stderr
}

export async function prometheusVersion(): Promise<string | undefined> {
  try {
    const { stdout } = await run('prometheus', ['--version'])
    return /version (\S+)/.exec(stdout)?.[1]
  } catch {
    return undefined
  }
}

export interface Prometheus {
  firing(): Promise<string[]>
  /** The number of series that match; throws if the expression is invalid. */
  count(expression: string): Promise<number>
  close(): Promise<void>
}

export async function startPrometheus(
  jobs: Record<string, readonly string[]>,
): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-prometheus-'))
  writeFileSync(join(folder, 'alerts.yml'), fastRules)
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(configuration(jobs)))
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  )
  const exited = once(child, 'exit')
  const watchdog = endWithParent(child.pid!, 'KILL')
  const get = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`http://${address}${path}`)
    const body = (await response.json()) as { data: Data; error?: string }
    if (!response.ok) throw new Error(body.error)
    return body.data
  }
  await vi.waitUntil(
    () =>
      fetch(`http://${address}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    { timeout: 20_000, interval: 100 },
  )
  return {
    firing: async () => {
      const { alerts } = await get<{ alerts: { state: string; labels: { alertname: string } }[] }>(
        '/api/v1/alerts',
      )
      const firing = alerts.filter(({ state }) => state === 'firing')
      return [...new Set(firing.map(({ labels }) => labels.alertname))]
    },
    count: async (expression) => {
      const query = new URLSearchParams({ query: expression }).toString()
      return (await get<{ result: unknown[] }>(`/api/v1/query?${query}`)).result.length
    },
    close: async () => {
      child.kill('SIGTERM')
      await exited
      await watchdog.release()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configuration(jobs: Record<string, readonly string[]>): object {
  return {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    scrape_configs: Object.entries(jobs).map(([job, urls]) => ({
      job_name: job,
      static_configs: [{ targets: urls.map((url) => new URL(url).host) }],
    })),
  }
}
