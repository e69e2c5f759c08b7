/**
 * Asked by the container's engine: fails where the API, or the worker if that is named, does not answer,
 * alive or not. A worker answers on its port for metrics; without one it is not asked.
 */
const { PORT = '3000', METRICS_PORT } = process.env
const isWorker = process.argv[2] === 'work'

const url = !isWorker
  ? `http://127.0.0.1:${PORT}/healthz`
  : METRICS_PORT && `http://127.0.0.1:${METRICS_PORT}/metrics`

if (url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
}
