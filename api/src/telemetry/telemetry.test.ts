import { writeFileSync } from 'node:fs'
import { checkAuth, login } from '@guidon/contract/auth'
import { uploadDocument } from '@guidon/contract/documents'
import { appWithTelemetry } from '@guidon/tests/app-with-telemetry'
import { samplePdf } from '@guidon/tests/files/made-pdf'
import { scrape, valueOf } from '@guidon/tests/scrape'
import { expect, it, vi } from 'vitest'
import { createLog } from '../platform/log.ts'
import { version } from '../platform/version.ts'
import { startTelemetry } from './start-telemetry.ts'

const testApp = await appWithTelemetry()
const { apiMetricsPort, workerMetricsPort, collector } = testApp
const { client, email } = await testApp.signedUp()

it('counts requests by route pattern, without personal data', async () => {
  await client.call(checkAuth, {})
  await client.send('GET', '/no/such/place?email=someone@example.com')
  await client.send('GET', '/admin/users/0199a5a0-0000-7000-8000-000000000000')
  const samples = await scrape(apiMetricsPort)
  const count = (labels: Record<string, string>) =>
    valueOf(samples, 'http_server_request_duration_seconds_count', labels)
  expect(
    count({
      http_route: '/auth/check-auth',
      http_request_method: 'GET',
      http_response_status_code: '200',
    }),
  ).toBe(1)
  expect(count({ http_route: 'none', http_response_status_code: '404' })).toBeGreaterThan(0)
  const labels = JSON.stringify(samples.map((sample) => sample.labels))
  expect(labels).not.toMatch(/example\.com|no\/such|0199a5a0/)
})

it('does not count health checks of balancers', async () => {
  await client.send('GET', '/readyz')
  const samples = await scrape(apiMetricsPort)
  expect(
    valueOf(samples, 'http_server_request_duration_seconds_count', { http_route: '/readyz' }),
  ).toBe(undefined)
})

it('counts sign-ins that were refused because the hash queue was full', async () => {
  const tries = Array.from({ length: 12 }, () =>
    testApp.newClient().call(login, { body: { email, password: 'Wrong-Lantern-42!' } }),
  )
  const refused = (await Promise.all(tries)).filter(({ status }) => status === 503).length
  const samples = await scrape(apiMetricsPort)
  expect(refused).toBeGreaterThan(0)
  expect(valueOf(samples, 'guidon_hash_refused_total')).toBe(refused)
  expect(valueOf(samples, 'guidon_hash_wait_seconds_count')).toBeGreaterThan(0)
  expect(valueOf(samples, 'guidon_hash_waiting')).toBe(0)
})

it('reports the database, the scanner, the checkers and the process', async () => {
  const samples = await scrape(apiMetricsPort)
  expect(valueOf(samples, 'guidon_ready')).toBe(1)
  expect(valueOf(samples, 'guidon_scanner_up')).toBe(1)
  expect(valueOf(samples, 'guidon_checkers')).toBe(1)
  expect(valueOf(samples, 'guidon_checkers_up')).toBe(1)
  expect(valueOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(valueOf(samples, 'guidon_database_connections', { state: 'waiting' })).toBe(0)
})

it('reports the version of each process', async () => {
  for (const port of [apiMetricsPort, workerMetricsPort]) {
    expect(valueOf(await scrape(port), 'guidon_build_info', { version })).toBe(1)
  }
})

it('reports jobs, email and waiting rows from the worker', async () => {
  await client.upload(
    uploadDocument,
    { name: 'letter.pdf', bytes: samplePdf(1) },
    { fields: { documentType: 'Other' } },
  )
  await vi.waitUntil(async () => {
    const samples = await scrape(workerMetricsPort)
    const stored = { queue: 'documents.store', outcome: 'completed' }
    return (
      valueOf(samples, 'guidon_job_duration_seconds_count', stored) === 1 &&
      valueOf(samples, 'guidon_outbox_waiting') === 0 &&
      valueOf(samples, 'guidon_crm_calls_limit') === 100_000
    )
  }, 60_000)
  const samples = await scrape(workerMetricsPort)
  expect(valueOf(samples, 'guidon_mail_sent_total')).toBeGreaterThan(0)
  expect(valueOf(samples, 'guidon_mail_delay_seconds_count', { queue: 'auth.send-code' })).toBe(1)
  expect(valueOf(samples, 'guidon_file_store_calls_total', { outcome: '201' })).toBeGreaterThan(0)
  expect(valueOf(samples, 'guidon_uploads_waiting')).toBe(0)
  expect(valueOf(samples, 'guidon_queue_dead', { queue: 'auth.send-code' })).toBe(0)
  expect(valueOf(samples, 'guidon_mirror_lag_seconds', { kind: 'contact' })).toBeGreaterThanOrEqual(
    0,
  )
  expect(valueOf(samples, 'guidon_audit_unsealed_seconds')).toBeGreaterThanOrEqual(0)
})

it('reports the metrics in the file of the backup, and none of them while there is no file', async () => {
  const lastSuccess = async () =>
    valueOf(await scrape(workerMetricsPort), 'guidon_backup_last_success_timestamp_seconds')
  expect(await lastSuccess()).toBe(undefined)
  writeFileSync(
    testApp.backupMetrics,
    [
      'guidon_backup_last_success_timestamp_seconds 1794847834',
      'guidon_backup_verify_last_success_timestamp_seconds 0',
      'guidon_backup_repository_bytes 4096',
      '',
    ].join('\n'),
  )
  expect(await lastSuccess()).toBe(1794847834)
  const samples = await scrape(workerMetricsPort)
  expect(valueOf(samples, 'guidon_backup_verify_last_success_timestamp_seconds')).toBe(0)
  expect(valueOf(samples, 'guidon_backup_last_full_timestamp_seconds')).toBe(undefined)
  expect(valueOf(samples, 'guidon_backup_repository_bytes')).toBe(4096)
  expect(valueOf(samples, 'guidon_wal_archive_failed_total')).toBe(0)
  expect(valueOf(samples, 'guidon_wal_archive_last_success_timestamp_seconds')).toBe(0)
  expect(valueOf(await scrape(apiMetricsPort), 'guidon_wal_archive_failed_total')).toBe(undefined)
})

it.each(['', 'NaN', '+Inf', 'yesterday'])(
  'does not report a backup whose time is "%s", and counts the failure',
  async (value) => {
    writeFileSync(testApp.backupMetrics, `guidon_backup_last_success_timestamp_seconds ${value}\n`)
    const samples = await scrape(workerMetricsPort)
    expect(valueOf(samples, 'guidon_backup_last_success_timestamp_seconds')).toBe(undefined)
    const failures = await scrape(workerMetricsPort)
    expect(valueOf(failures, 'guidon_watch_failures_total', { reading: 'backup' })).toBeGreaterThan(
      0,
    )
  },
)

it('leaves out a gauge that cannot be read, and counts the failure', async () => {
  const failures = async () =>
    valueOf(await scrape(workerMetricsPort), 'guidon_watch_failures_total', { reading: 'outbox' })
  expect(await failures()).toBe(0)
  await testApp.sql.query('revoke select on crm_outbox from guidon_app')
  try {
    const samples = await scrape(workerMetricsPort)
    expect(valueOf(samples, 'guidon_outbox_waiting')).toBe(undefined)
    expect(valueOf(samples, 'guidon_uploads_waiting')).toBe(0)
  } finally {
    await testApp.sql.query('grant select on crm_outbox to guidon_app')
  }
  expect(await failures()).toBe(1)
  expect(valueOf(await scrape(workerMetricsPort), 'guidon_outbox_waiting')).toBe(0)
})

it('sends a span for each request and job, continues the trace of the balancer, and contains no personal data', async () => {
  const traceId = 'ab'.repeat(16)
  const parent = 'cd'.repeat(8)
  await client.send('GET', '/auth/check-auth?email=someone@example.com', undefined, {
    traceparent: `00-${traceId}-${parent}-01`,
  })
  await vi.waitUntil(() => collector.spans.some((span) => span.traceId === traceId), 60_000)
  const span = collector.spans.find((candidate) => candidate.traceId === traceId)
  expect(span).toMatchObject({ name: 'GET /auth/check-auth', parentSpanId: parent })
  expect(collector.text).toContain(`"service.version","value":{"stringValue":"${version}"}`)
  await vi.waitUntil(() => collector.spans.some(({ name }) => name === 'auth.send-code'), 60_000)
  expect(collector.text).not.toContain('example.com')
  expect(collector.text).not.toContain(email)
})

it('logs and counts traces that the collector refuses', async () => {
  collector.refusing = true
  await client.call(checkAuth, {})
  await vi.waitUntil(
    async () => (valueOf(await scrape(apiMetricsPort), 'guidon_trace_failures_total') ?? 0) > 0,
    15_000,
  )
  expect(testApp.logged()).toContain('traces: not sent')
})

it('does not start if its port is taken', async () => {
  const metrics = { host: '127.0.0.1', port: apiMetricsPort }
  const log = createLog('silent', 'test')
  await expect(startTelemetry({ process: 'api', metrics, log })).rejects.toThrow('EADDRINUSE')
})

it('does not report readiness during shutdown', async () => {
  expect(valueOf(await scrape(apiMetricsPort), 'guidon_ready')).toBe(1)
  testApp.drain()
  expect(valueOf(await scrape(apiMetricsPort), 'guidon_ready')).toBe(undefined)
})
