import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@guidon/sandbox/free-port'
import { startProgram } from './monitoring-program.ts'
import { isInstalled, MONITORING_DIR } from './prometheus.ts'

export const hasAlertmanager = await isInstalled('prometheus-alertmanager')

export const PAGE_TO = 'on-call@example.org'
export const TICKET_TO = 'operators@example.org'

export interface Alertmanager {
  address: string
  /** Sends a firing alert, as Prometheus does. */
  send(labels: Record<string, string>, annotations: Record<string, string>): Promise<void>
  close(): Promise<void>
}

/** With the deployed settings, except for the time that a ticket waits for others of its group. */
export async function startAlertmanager(
  smtpUrl: string,
  { ticketWait }: { ticketWait?: string } = {},
): Promise<Alertmanager> {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-alertmanager-'))
  cpSync(join(MONITORING_DIR, 'start'), join(folder, 'start'))
  const settings = readFileSync(join(MONITORING_DIR, 'alertmanager.yml'), 'utf8')
  writeFileSync(
    join(folder, 'alertmanager.yml'),
    ticketWait ? settings.replace('group_wait: 1m', `group_wait: ${ticketWait}`) : settings,
  )
  const config = join(folder, 'config')
  const address = `127.0.0.1:${await freePort()}`
  const program = await startProgram(
    join(folder, 'start'),
    [
      'prometheus-alertmanager',
      'alertmanager.yml',
      '--',
      `--config.file=${join(config, 'alertmanager.yml')}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--cluster.listen-address=',
    ],
    `http://${address}/-/ready`,
    {
      CONFIG_DIR: config,
      ALERT_SMTP_HOST: new URL(smtpUrl).host,
      ALERT_SMTP_USER: '',
      ALERT_SMTP_TLS: 'false',
      ALERT_FROM: 'guidon@example.org',
      ALERT_PAGE_TO: PAGE_TO,
      ALERT_TICKET_TO: TICKET_TO,
    },
  )
  return {
    address,
    send: async (labels, annotations) => {
      const { ok, status } = await fetch(`http://${address}/api/v2/alerts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([{ labels, annotations }]),
      })
      if (!ok) throw new Error(`the Alertmanager responded ${status}`)
    },
    close: async () => {
      await program.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
