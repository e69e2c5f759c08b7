import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { uploadDocument } from '@guidon/contract/documents'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { appWithTelemetry } from '../test/app-with-telemetry.ts'
import { samplePdf } from '../test/files/made-pdf.ts'
import { scrape } from '../test/scrape.ts'
import { faults } from './alert-faults.ts'
import { startAlertStack } from './alert-stack.ts'
import type { AlertStack } from './alert-stack.ts'
import { alertsWithTimeline, ruleTests } from './alert-timelines.ts'
import {
  alertNames,
  prometheusVersion,
  promtool,
  rules,
  startPrometheus,
  MONITORING_DIR,
} from './prometheus.ts'
import type { Prometheus } from './prometheus.ts'
import { figures, fullSizeOnly, isFullSize } from './size.ts'

/** With the short times of `fastRules`; sealing and polling the CRM may take a minute. */
const FIRES_WITHIN_SECONDS = 30
const CLEARS_WITHIN_SECONDS = 120
const version = await prometheusVersion()
if (version === undefined) {
  process.stdout.write(
    'Prometheus is not installed, so its rules are not checked: apt-get install prometheus\n',
  )
}

const dashboard = readFileSync(join(MONITORING_DIR, 'dashboard.json'), 'utf8')
const expressions = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(
  ([, text]) => JSON.parse(text!) as string,
)

describe.skipIf(!isFullSize && version === undefined)('Prometheus', () => {
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
  const links = [...rules.matchAll(/runbook: docs\/operate\/runbooks\.md#(\w+)$/gm)]
  expect(sections.toSorted()).toEqual(alertNames.toSorted())
  expect(links.map(([, anchor]) => anchor)).toEqual(alertNames.map((name) => name.toLowerCase()))
})

it('the processes export every metric that an alert or the dashboard uses', async () => {
  const used = [rules, ...expressions].flatMap(
    (text) => text.match(/\b(?:guidon|http_server|process)_\w+/g) ?? [],
  )
  const testApp = await appWithTelemetry()
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
  await expect.poll(missing, { timeout: 20_000 }).toEqual([])
})

describe(
  'with the product as processes and Prometheus',
  fullSizeOnly('takes half an hour and needs Prometheus'),
  () => {
    let alertStack: AlertStack
    let prometheus: Prometheus
    const fires = async (name: string) => (await prometheus.firing()).includes(name)
    const until = async (condition: () => Promise<boolean>) => {
      const began = performance.now()
      await vi.waitUntil(condition, { timeout: 150_000, interval: 250 })
      return Number(((performance.now() - began) / 1000).toFixed(1))
    }

    beforeAll(async () => {
      alertStack = await startAlertStack()
      const { api, workers } = alertStack.stack.urls.metrics
      prometheus = await startPrometheus({ 'guidon-api': api, 'guidon-worker': workers })
      await until(async () => (await prometheus.count('up == 1')) === 2)
    }, 120_000)
    afterAll(async () => {
      await prometheus?.close()
      await alertStack?.close()
    }, 60_000)

    it('every alert has a fault that causes it', () => {
      expect(Object.keys(faults).toSorted()).toEqual(alertNames.toSorted())
    })

    it.each(alertNames)('%s fires during its fault and clears afterwards', async (name) => {
      const { cause, repair, repeat } = faults[name]!
      await until(async () => !(await fires(name)))
      let firing = 0
      try {
        await cause(alertStack)
        firing = await until(async () => {
          await repeat?.(alertStack)
          return fires(name)
        })
      } finally {
        await repair(alertStack)
      }
      const cleared = await until(async () => !(await fires(name)))
      figures(name, { 'seconds until it fired': firing, 'until it cleared': cleared })
      expect(firing).toBeLessThan(FIRES_WITHIN_SECONDS)
      expect(cleared).toBeLessThan(CLEARS_WITHIN_SECONDS)
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
  },
)
