import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { uploadDocument } from '@guidon/contract/documents'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
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
import { figures } from './size.ts'

const full = inject('proof') === 'full'
/** On the fast clock of the proof, and with a seal or a look at the CRM that is a minute away. */
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

describe.skipIf(!full && version === undefined)('Prometheus', () => {
  it('understands the rules and the configuration', async () => {
    expect(await promtool('check', 'config', 'prometheus.yml')).toContain(
      `${alertNames.length} rules found`,
    )
  })

  it('fires each alert at its time, not before, and clears it', async () => {
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

it('every alert has its page to read', () => {
  const runbooks = readFileSync(resolve(MONITORING_DIR, '../../docs/operate/runbooks.md'), 'utf8')
  const sections = [...runbooks.matchAll(/^## (Guidon\w+)$/gm)].map(([, name]) => name!)
  const links = [...rules.matchAll(/runbook: docs\/operate\/runbooks\.md#(\w+)$/gm)]
  expect(sections.toSorted()).toEqual(alertNames.toSorted())
  expect(links.map(([, anchor]) => anchor)).toEqual(alertNames.map((name) => name.toLowerCase()))
})

it('every figure that an alert or the dashboard asks for is told by a process', async () => {
  const asked = [rules, ...expressions].flatMap(
    (text) => text.match(/\b(?:guidon|http_server|process)_\w+/g) ?? [],
  )
  const testApp = await appWithTelemetry()
  const { person: client } = await testApp.signedUp()
  const file = { name: 'letter.pdf', bytes: samplePdf(1) }
  await client.upload(uploadDocument, file, { fields: { documentType: 'Other' } })
  const missing = async () => {
    const samples = [...(await scrape(testApp.ofApi)), ...(await scrape(testApp.ofWorker))]
    const told = new Set(samples.map(({ name }) => name))
    return [...new Set(asked)].filter((name) => !told.has(name))
  }
  expect(asked.length).toBeGreaterThan(50)
  await expect.poll(missing, { timeout: 20_000 }).toEqual([])
})

describe.runIf(full)('with the product as processes and a real Prometheus', () => {
  let testApp: AlertStack
  let prometheus: Prometheus
  const fires = async (name: string) => (await prometheus.firing()).includes(name)
  const until = async (condition: () => Promise<boolean>) => {
    const began = performance.now()
    await vi.waitUntil(condition, { timeout: 150_000, interval: 250 })
    return Number(((performance.now() - began) / 1000).toFixed(1))
  }

  beforeAll(async () => {
    testApp = await startAlertStack()
    const { api, workers } = testApp.stack.urls.metrics
    prometheus = await startPrometheus({ 'guidon-api': api, 'guidon-worker': workers })
    await until(async () => (await prometheus.count('up == 1')) === 2)
  }, 120_000)
  afterAll(async () => {
    await prometheus?.close()
    await testApp?.close()
  }, 60_000)

  it('there is a trouble for every alert', () => {
    expect(Object.keys(faults).toSorted()).toEqual(alertNames.toSorted())
  })

  it.each(alertNames)(
    '%s fires when its trouble is there, and clears when it is gone',
    async (name) => {
      const { cause, mend, meanwhile } = faults[name]!
      await until(async () => !(await fires(name)))
      let firing = 0
      try {
        await cause(testApp)
        firing = await until(async () => {
          await meanwhile?.(testApp)
          return fires(name)
        })
      } finally {
        await mend(testApp)
      }
      const cleared = await until(async () => !(await fires(name)))
      figures(name, { 'seconds until it fired': firing, 'until it cleared': cleared })
      expect(firing).toBeLessThan(FIRES_WITHIN_SECONDS)
      expect(cleared).toBeLessThan(CLEARS_WITHIN_SECONDS)
    },
  )

  it('in the end all is quiet, and every panel has something to show', async () => {
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
