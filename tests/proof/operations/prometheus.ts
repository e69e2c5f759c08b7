import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@guidon/sandbox/free-port'
import { startProgram } from './monitoring-program.ts'

const run = promisify(execFile)
export const MONITORING_DIR = resolve(import.meta.dirname, '../../../deploy/monitoring')
export const rules = readFileSync(join(MONITORING_DIR, 'alerts.yml'), 'utf8')
export const alertNames = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)

export const RUNBOOKS_URL = 'https://git.example.org/guidon/docs/operate/runbooks.md'

/** The same rules with short times: `for` is two seconds, and every window ten seconds. */
const fastRules = rules.replaceAll(/\bfor: \d+m\b/g, 'for: 2s').replaceAll(/\[\d+m\]/g, '[10s]')

export async function promtool(...args: string[]): Promise<string> {
  const { stdout, stderr } = await run('promtool', args, { cwd: MONITORING_DIR })
  return stdout + stderr
}

export async function isInstalled(program: string): Promise<boolean> {
  return run(program, ['--version']).then(
    () => true,
    () => false,
  )
}

export interface Prometheus {
  firing(): Promise<string[]>
  /** The number of series that match; throws if the expression is invalid. */
  count(expression: string): Promise<number>
  close(): Promise<void>
}

export interface ScrapeTargets {
  /** The addresses of each job of `prometheus.yml`. */
  jobs: Record<string, readonly string[]>
  blackbox: string
  alertmanager: string
}

export async function startPrometheus(targets: ScrapeTargets): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-prometheus-'))
  writeFileSync(join(folder, 'alerts.yml'), fastRules.replaceAll('${RUNBOOKS_URL}', RUNBOOKS_URL))
  writeFileSync(join(folder, 'prometheus.yml'), configuration(targets))
  const address = `127.0.0.1:${await freePort()}`
  const program = await startProgram(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=error',
    ],
    `http://${address}/-/ready`,
  )
  const get = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`http://${address}${path}`)
    const body = (await response.json()) as { data: Data; error?: string }
    if (!response.ok) throw new Error(body.error)
    return body.data
  }
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
      await program.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The deployed configuration with the addresses of the test, and an interval of one second. */
function configuration({ jobs, blackbox, alertmanager }: ScrapeTargets): string {
  const deployed = readFileSync(join(MONITORING_DIR, 'prometheus.yml'), 'utf8')
    .replaceAll('interval: 15s', 'interval: 1s')
    .replace('global:', 'global:\n  scrape_timeout: 1s')
    .replace('blackbox-exporter:9115', blackbox)
    .replace('alertmanager:9093', alertmanager)
  return Object.entries(jobs).reduce(
    (text, [job, targets]) =>
      text.replace(
        new RegExp(`(job_name: ${job}\\n[^]*?targets: )\\[.*\\]`),
        `$1${JSON.stringify(targets)}`,
      ),
    deployed,
  )
}
