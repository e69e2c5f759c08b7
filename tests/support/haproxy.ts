import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setDefaultCACertificates, getCACertificates } from 'node:tls'
import { freePort } from '@guidon/sandbox/free-port'
import { vi } from 'vitest'
import { selfSigned } from './certificate.ts'

const CONFIGURATION = resolve(import.meta.dirname, '../../deploy/haproxy.cfg')

/** All clients of most tests have one address. */
const NO_LIMITS = { CONNECTIONS_OF_ADDRESS: '1000', REQUESTS_OF_ADDRESS: '1000000' }

interface HaproxyOptions {
  /** Of an address. */
  limits?: 'shipped' | 'none'
  /** The default fits the open-file limit of a developer's machine. */
  maxConnections?: number
  configuration?: string | undefined
}

/** Starts HAProxy with the shipped configuration and our addresses and certificate. */
export async function startHaproxy(
  port: number,
  apis: readonly string[],
  { limits = 'none', maxConnections = 1_000, configuration = CONFIGURATION }: HaproxyOptions = {},
) {
  if (spawnSync('haproxy', ['-v']).status !== 0) {
    throw new Error('HAProxy is not installed: apt-get install haproxy')
  }
  const folder = mkdtempSync(join(tmpdir(), 'guidon-haproxy-'))
  const keyAndCertificate = selfSigned(1)
  const certificate = keyAndCertificate.slice(keyAndCertificate.indexOf('-----BEGIN CERTIFICATE'))
  setDefaultCACertificates([...getCACertificates(), certificate])
  const tlsFile = join(folder, 'tls.pem')
  writeFileSync(tlsFile, keyAndCertificate, { mode: 0o600 })
  const socket = join(folder, 'stats.sock')
  const extra = join(folder, 'extra.cfg')
  writeFileSync(extra, `global\n    stats socket ${socket}\n`)
  const addressVariables = apis.map((url, index) => [`API_${index + 1}`, new URL(url).host])
  const args = ['-n', String(maxConnections), '-db', '-f', configuration, '-f', extra]
  const child = spawn('haproxy', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: '/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin',
      HTTP_BIND: `127.0.0.1:${await freePort()}`,
      HTTPS_BIND: `127.0.0.1:${port}`,
      TLS_FILE: tlsFile,
      ...(limits === 'none' && NO_LIMITS),
      MAINTENANCE_PAGE: resolve(CONFIGURATION, '../maintenance.html'),
      ...Object.fromEntries(addressVariables),
    },
  })
  const exited = once(child, 'exit')
  const countApisUp = async (): Promise<number> => {
    const stats = connect(socket)
    stats.end('show stat\n')
    const rows = (await text(stats)).split('\n').filter((row) => row.startsWith('api,api-'))
    return rows.filter((row) => row.split(',')[17] === 'UP').length
  }
  return {
    countApisUp,
    waitUntilUp: (expected: number) =>
      vi.waitUntil(
        async () => {
          if (child.exitCode !== null) throw new Error('haproxy ended')
          return (await countApisUp().catch(() => -1)) === expected
        },
        { timeout: 60_000, interval: 50 },
      ),
    close: async () => {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true })
    },
  }
}
