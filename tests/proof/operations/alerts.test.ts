import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { uploadDocument } from '@guidon/contract/documents'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { startMailbox } from '@guidon/sandbox/mailbox/mailbox'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { appWithTelemetry } from '../../support/app-with-telemetry.ts'
import { samplePdf } from '../../support/files/made-pdf.ts'
import { scrape } from '../../support/scrape.ts'
import { figures, headline } from '../figures.ts'
import { fullSizeOnly, isFullSize } from '../size.ts'
import { faults } from './alert-faults.ts'
import { startAlertStack } from './alert-stack.ts'
import type { AlertStack } from './alert-stack.ts'
import { alertsWithTimeline, ruleTests } from './alert-timelines.ts'
import { hasAlertmanager, PAGE_TO, startAlertmanager, TICKET_TO } from './alertmanager.ts'
import type { Alertmanager } from './alertmanager.ts'
import {
  alertNames,
  isInstalled,
  promtool,
  rules,
  RUNBOOKS_URL,
  startPrometheus,
  MONITORING_DIR,
} from './prometheus.ts'
import type { Prometheus } from './prometheus.ts'

/** With the short times of `fastRules` (prometheus.ts); sealing the audit log and polling the CRM may take a minute. */
const FIRES_WITHIN_SECONDS = 30
const CLEARS_WITHIN_SECONDS = 120
const hasPrometheus = await isInstalled('prometheus')
if (!hasPrometheus) {
  process.stdout.write(
    'Prometheus is not installed, so its rules are not checked: apt-get install prometheus\n',
  )
}

const dashboard = readFileSync(join(MONITORING_DIR, 'dashboard.json'), 'utf8')
const expressions = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(
  ([, text]) => JSON.parse(text!) as string,
)

describe.skipIf(!isFullSize && !hasPrometheus)('Prometheus', () => {
  it('accepts the rules and the configuration', async () => {
    expect(await promtool('check', 'config', 'prometheus.yml')).toContain(
      `${alertNames.length} rules found`,
    )
  })

  it('fires each alert on time, not earlier, and clears it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'guidon-times-'))
    const file = join(folder, 'times.json')
    writeFileSync(file, JSON.stringify(ruleTests(join(MONITORING_DIR, 'alerts.yml'))))
    try {
      expect(alertsWithTimeline.toSorted()).toEqual(alertNames.toSorted())
      expect(await promtool('test', 'rules', file)).toContain('SUCCESS')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

it('every alert has a runbook section', () => {
  const runbooks = readFileSync(resolve(MONITORING_DIR, '../../docs/operate/runbooks.md'), 'utf8')
  const sections = [...runbooks.matchAll(/^## (Guidon\w+)$/gm)].map(([, name]) => name!)
  const links = [...rules.matchAll(/runbook_url: \$\{RUNBOOKS_URL\}#(\w+)$/gm)]
  expect(sections.toSorted()).toEqual(alertNames.toSorted())
  expect(links.map(([, anchor]) => anchor)).toEqual(alertNames.map((name) => name.toLowerCase()))
})

it('the processes export every metric that an alert or the dashboard uses', async () => {
  const used = [rules, ...expressions].flatMap(
    (text) => text.match(/\b(?:guidon|http_server|process)_\w+/g) ?? [],
  )
  const testApp = await appWithTelemetry()
  const backup = readFileSync(join(MONITORING_DIR, '../postgres/backup'), 'utf8')
  const fromBackup = new Set(backup.match(/\bguidon_backup_\w+/g))
  writeFileSync(testApp.backupMetrics, [...fromBackup].map((name) => `${name} 1\n`).join(''))
  const { client } = await testApp.signedUp()
  const file = { name: 'document.pdf', bytes: samplePdf(1) }
  await client.upload(uploadDocument, file, { fields: { documentType: 'Other' } })
  const missing = async () => {
    const samples = [
      ...(await scrape(testApp.apiMetricsPort)),
      ...(await scrape(testApp.workerMetricsPort)),
    ]
    const exported = new Set(samples.map(({ name }) => name))
    return [...new Set(used)].filter((name) => !exported.has(name))
  }
  expect(used.length).toBeGreaterThan(50)
  await expect.poll(missing).toEqual([])
})

describe.skipIf(!isFullSize && !hasAlertmanager)('the Alertmanager', () => {
  it('sends a page at once and a ticket with others of its name, both with the runbook', async () => {
    const mailbox = await startMailbox()
    const alertmanager = await startAlertmanager(mailbox.smtpUrl, { ticketWait: '2s' })
    try {
      const summary = 'Prometheus cannot reach an API process'
      const annotations = { summary, runbook_url: `${RUNBOOKS_URL}#guidonapidown` }
      const page = { alertname: 'GuidonApiDown', severity: 'page', instance: 'api-1:9464' }
      await alertmanager.send(page, annotations)
      for (const queue of ['crm.send', 'documents.store']) {
        await alertmanager.send(
          { alertname: 'GuidonJobsGivenUp', severity: 'ticket', queue },
          { ...annotations, summary: `a job of ${queue} failed` },
        )
      }
      const client = new MailboxClient(mailbox.url)
      const [pageMail] = await client.mailsTo(PAGE_TO)
      const [ticketMail] = await client.mailsTo(TICKET_TO)
      expect(pageMail).toMatchObject({ subject: '[FIRING] page: GuidonApiDown' })
      expect(pageMail!.text).toContain(`GuidonApiDown (api-1:9464): ${summary}`)
      expect(pageMail!.text).toContain(`What to do: ${RUNBOOKS_URL}#guidonapidown`)
      expect(ticketMail).toMatchObject({ subject: '[FIRING] ticket: GuidonJobsGivenUp' })
      expect(ticketMail!.text).toMatch(
        /a job of crm\.send failed[^]+a job of documents\.store failed/,
      )
    } finally {
      await alertmanager.close()
      await mailbox.close()
    }
  })
})

// Needs Prometheus, Alertmanager and two exporters.
describe('with the product as processes and Prometheus', fullSizeOnly, () => {
  let alertStack: AlertStack
  let prometheus: Prometheus
  let alertmanager: Alertmanager
  const fires = async (name: string) => (await prometheus.firing()).includes(name)
  const until = async (condition: () => Promise<boolean>) => {
    const began = performance.now()
    await vi.waitUntil(condition, { timeout: 150_000, interval: 250 })
    return Number(((performance.now() - began) / 1000).toFixed(1))
  }

  beforeAll(async () => {
    alertStack = await startAlertStack()
    const { stack, exporters, cluster } = alertStack
    const hosts = (urls: readonly string[]) => urls.map((url) => new URL(url).host)
    exporters.reportBackup()
    alertmanager = await startAlertmanager(stack.urls.smtp)
    prometheus = await startPrometheus({
      jobs: {
        'guidon-api': hosts(stack.urls.metrics.api),
        'guidon-worker': hosts(stack.urls.metrics.workers),
        'guidon-host': [exporters.node],
        'guidon-database': cluster.nodes.map(({ plan }) => `127.0.0.1:${plan.patroniPort}`),
        'guidon-etcd': cluster.etcds.map(({ plan }) => `127.0.0.1:${plan.metricsPort}`),
        'guidon-portal': [`${stack.urls.portal}/`, exporters.pageWithCertificate],
      },
      blackbox: exporters.blackbox,
      alertmanager: alertmanager.address,
    })
    await until(async () => (await prometheus.count('up == 1')) === 8)
    await until(async () => (await prometheus.count('probe_success == 1')) === 2)
  }, 120_000)
  afterAll(async () => {
    await prometheus?.close()
    await alertmanager?.close()
    await alertStack?.close()
  }, 60_000)

  it('every alert has a fault that causes it', () => {
    expect(Object.keys(faults).toSorted()).toEqual(alertNames.toSorted())
  })

  // These run first: after an email about an alert, the Alertmanager delays the next one by the `group_interval`.
  it.each([
    ['GuidonScannerDown', PAGE_TO, 30],
    ['GuidonCertificateExpires', TICKET_TO, 90],
  ])('%s is sent to %s', async (name, to, withinSeconds) => {
    const { cause, repair } = faults[name]!
    const began = performance.now()
    try {
      await cause(alertStack)
      const [mail] = await alertStack.mailbox.mailsTo(to, { subject: name, waitMs: 120_000 })
      const seconds = (performance.now() - began) / 1000
      figures(`${name} by email`, { 'seconds until it arrived': seconds.toFixed(1) })
      headline.max({ 'slowest email s': seconds })
      expect(mail?.text).toContain(`What to do: ${RUNBOOKS_URL}#${name.toLowerCase()}`)
      expect(seconds).toBeLessThan(withinSeconds)
    } finally {
      await repair(alertStack)
    }
  })

  it.each(alertNames)('%s fires during its fault and clears afterwards', async (name) => {
    const { cause, repair, repeat } = faults[name]!
    await until(async () => !(await fires(name)))
    let firedAfter = 0
    try {
      await cause(alertStack)
      firedAfter = await until(async () => {
        await repeat?.(alertStack)
        return fires(name)
      })
    } finally {
      await repair(alertStack)
    }
    const clearedAfter = await until(async () => !(await fires(name)))
    figures(name, { 'seconds until it fired': firedAfter, 'until it cleared': clearedAfter })
    headline.sum({ alerts: 1 })
    headline.max({ 'slowest to fire s': firedAfter, 'slowest to clear s': clearedAfter })
    expect(firedAfter).toBeLessThan(FIRES_WITHIN_SECONDS)
    expect(clearedAfter).toBeLessThan(CLEARS_WITHIN_SECONDS)
  })

  it('no alert fires at the end, and every panel of the dashboard has data', async () => {
    await until(async () => (await prometheus.firing()).length === 0)
    const counts = await Promise.all(
      expressions.map(async (expression) => ({
        expression,
        series: await prometheus.count(expression.replaceAll('$__rate_interval', '1h')),
      })),
    )
    figures('dashboard', { queries: counts.length })
    expect(counts.filter(({ series }) => series === 0)).toEqual([])
  })
})
