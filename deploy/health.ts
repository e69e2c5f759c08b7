import { ownAddress } from '../api/src/platform/own-address.ts'

/**
 * The container's health check. Fails if the API, or with the argument `work` the worker, does not respond.
 * A worker is checked on its metrics port; without one it counts as healthy.
 */
const { PORT = '3000', METRICS_HOST = '127.0.0.1', METRICS_PORT } = process.env
const isWorker = process.argv[2] === 'work'

const url = !isWorker
  ? `http://127.0.0.1:${PORT}/healthz`
  : METRICS_PORT && `http://${ownAddress(METRICS_HOST)}:${METRICS_PORT}/metrics`

if (url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(4_000) })
  if (!response.ok) throw new Error(`${url} responded ${response.status}`)
}
