import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@guidon/sandbox/free-port'
import { selfSigned } from '../../support/certificate.ts'
import { smallDisk } from '../../support/small-disk.ts'
import { startProgram } from './monitoring-program.ts'
import { MONITORING_DIR } from './prometheus.ts'

const DISK_MEGABYTES = 16
/** Every type of file system but tmpfs, which the test disk has. */
const OTHER_TYPES = '^([^t].*|t[^m].*|tm[^p].*|tmp[^f].*|tmpf[^s].*|tmpfs.+|.{0,4})$'

interface BackupMetrics {
  ageSeconds?: number
  archiveAgeSeconds?: number
  archiveFailures?: number
}

/** Real exporters, and what they watch: a small disk, a page with a certificate, and the metrics of the backup. */
export async function startAlertExporters() {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-exporters-'))
  const disk = smallDisk(DISK_MEGABYTES)
  const certificates = { fresh: selfSigned(90), expiring: selfSigned(5) }
  const trusted = join(folder, 'trusted.pem')
  writeFileSync(trusted, Object.values(certificates).join(''))
  const server = createServer(keyAndCertificate(certificates.fresh), (_request, response) => {
    response.end('<script id="guidon-brand">')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const node = `127.0.0.1:${await freePort()}`
  const nodeExporter = await startProgram(
    'prometheus-node-exporter',
    [
      '--collector.disable-defaults',
      '--collector.filesystem',
      `--collector.filesystem.fs-types-exclude=${OTHER_TYPES}`,
      '--collector.filesystem.mount-points-exclude=^$',
      '--collector.textfile',
      `--collector.textfile.directory=${folder}`,
      `--web.listen-address=${node}`,
    ],
    `http://${node}/`,
  )
  const blackbox = `127.0.0.1:${await freePort()}`
  const blackboxExporter = await startProgram(
    'prometheus-blackbox-exporter',
    [`--config.file=${join(MONITORING_DIR, 'blackbox.yml')}`, `--web.listen-address=${blackbox}`],
    `http://${blackbox}/-/healthy`,
    { SSL_CERT_FILE: trusted },
  )

  return {
    node,
    blackbox,
    pageWithCertificate: `https://localhost:${(server.address() as AddressInfo).port}/`,
    fillDisk: () =>
      writeFileSync(join(disk.path, 'file'), Buffer.alloc(DISK_MEGABYTES * 1024 * 1024 * 0.95)),
    emptyDisk: () => rmSync(join(disk.path, 'file')),
    /** What the backup of the database would report. */
    reportBackup({
      ageSeconds = 0,
      archiveAgeSeconds = 0,
      archiveFailures = 0,
    }: BackupMetrics = {}) {
      const now = Math.trunc(Date.now() / 1000)
      const lines = [
        `guidon_backup_last_success_timestamp_seconds ${now - ageSeconds}`,
        `guidon_wal_archive_last_success_timestamp_seconds ${now - archiveAgeSeconds}`,
        `guidon_wal_archive_failed_total ${archiveFailures}`,
      ]
      // The exporter may read at any moment, so a complete file replaces the old one atomically.
      writeFileSync(join(folder, 'backup.new'), `${lines.join('\n')}\n`)
      renameSync(join(folder, 'backup.new'), join(folder, 'backup.prom'))
    },
    useCertificate: (which: keyof typeof certificates) => {
      server.setSecureContext(keyAndCertificate(certificates[which]))
      server.closeAllConnections()
    },
    async close() {
      await Promise.all([nodeExporter.close(), blackboxExporter.close()])
      server.close().closeAllConnections()
      disk.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const keyAndCertificate = (pem: string) => ({ key: pem, cert: pem })
