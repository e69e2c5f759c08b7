import { once } from 'node:events'
import { connect } from 'node:net'
import { ownAddress } from '../api/src/platform/own-address.ts'

/**
 * The container's health check. Fails if the API, or with the argument `work` the worker, or with `checker` and the path of
 * its socket the checker, does not respond. A worker is checked on its metrics port; without one it counts as healthy.
 */
const TIMEOUT_MS = 4_000
const { PORT = '3000', METRICS_HOST = '127.0.0.1', METRICS_PORT } = process.env
const [role, socket] = process.argv.slice(2)
const signal = AbortSignal.timeout(TIMEOUT_MS)

if (role === 'checker') {
  const checker = connect(socket!)
  const question = Buffer.from('....{"ask":"bounds"}')
  question.writeUInt32BE(question.length - 4)
  checker.write(question)
  await once(checker, 'data', { signal })
  checker.destroy()
} else {
  const url =
    role === 'work'
      ? METRICS_PORT && `http://${ownAddress(METRICS_HOST)}:${METRICS_PORT}/metrics`
      : `http://127.0.0.1:${PORT}/healthz`
  if (url) {
    const response = await fetch(url, { signal })
    if (!response.ok) throw new Error(`${url} responded ${response.status}`)
  }
}
