import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { freePort } from '@guidon/sandbox/free-port'
import { composeWorker } from '../../api/src/main/compose/compose.ts'
import { createLog } from '../../api/src/platform/log.ts'
import { afterFile } from './after-file.ts'
import { boot } from './boot.ts'

interface Span {
  name: string
  traceId: string
  parentSpanId?: string
}

/** A collector, with the traces that it received. */
interface Collector {
  url: string
  spans: Span[]
  text: string
  /** Set it to make the collector respond with 400. */
  refusing: boolean
}

/** API and worker with their own metrics ports, and a collector that stores their traces. */
export async function appWithTelemetry() {
  const collector = await startCollector()
  const [apiMetricsPort, workerMetricsPort] = [await freePort(), await freePort()]
  const environment = {
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: String(apiMetricsPort),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    HASH_CONCURRENCY: '1',
    HASH_QUEUE: '2',
  }
  const testApp = await boot({ worker: false, environment })
  const backupMetrics = join(tmpdir(), `guidon-backup-${randomUUID()}.prom`)
  const config = {
    ...testApp.config,
    METRICS_PORT: workerMetricsPort,
    BACKUP_METRICS_PATH: backupMetrics,
  }
  const worker = await composeWorker(config, createLog('silent', 'worker'))
  afterFile(() => worker.close())
  afterFile(() => rmSync(backupMetrics, { force: true }))
  return { ...testApp, collector, apiMetricsPort, workerMetricsPort, backupMetrics }
}

/** Stores the traces that processes send to it. */
export async function startCollector(): Promise<Collector> {
  const collector: Collector = { url: '', spans: [], text: '', refusing: false }
  const store = (body: unknown) => {
    collector.text += JSON.stringify(body)
    const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    collector.spans.push(
      ...resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap(({ spans }) => spans)),
    )
  }
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await json(request)
    if (!collector.refusing) store(body)
    response
      .writeHead(collector.refusing ? 400 : 200, { 'content-type': 'application/json' })
      .end('{}')
  }
  const server = createServer((request, response) => void respond(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterFile(() => server.closeAllConnections())
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return collector
}
