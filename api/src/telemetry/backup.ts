import { readFile } from 'node:fs/promises'
import type { Telemetry } from './start-telemetry.ts'

/** The names that `deploy/postgres/backup` writes. */
const FROM_FILE = {
  guidon_backup_last_success_timestamp_seconds: 'When the last backup ended',
  guidon_backup_verify_last_success_timestamp_seconds:
    'When the whole repository was last verified without damage; 0 if never',
  guidon_backup_last_full_timestamp_seconds: 'When the last full backup ended',
  guidon_backup_repository_bytes: 'Size of all backups and archived WAL',
}

interface Backup {
  /** The metrics file of the backup. */
  path: string
  /** `lastArchivedAt` is in seconds since 1970; 0 if never. */
  walArchive(): Promise<{ failedAttempts: number; lastArchivedAt: number }>
}

export function reportBackup(
  { gauges }: Pick<Telemetry, 'gauges'>,
  { path, walArchive }: Backup,
): void {
  gauges.add({
    sourceName: 'backup',
    gauges: FROM_FILE,
    read: async () => {
      const lines = (await readIfExists(path)).split('\n').map((line) => line.split(' '))
      const known = lines.filter(([name = '']) => Object.hasOwn(FROM_FILE, name))
      return Object.fromEntries(known.map(([name, value]) => [name, numberOf(value)]))
    },
  })
  gauges.add({
    sourceName: 'wal archive',
    gauges: {
      guidon_wal_archive_failed_total: 'Failed attempts of PostgreSQL to archive a WAL segment',
      guidon_wal_archive_last_success_timestamp_seconds:
        'When PostgreSQL last archived a WAL segment; 0 if never',
    },
    read: async () => {
      const { failedAttempts, lastArchivedAt } = await walArchive()
      return {
        guidon_wal_archive_failed_total: failedAttempts,
        guidon_wal_archive_last_success_timestamp_seconds: lastArchivedAt,
      }
    },
  })
}

function numberOf(text = ''): number {
  const value = Number(text)
  if (text === '' || !Number.isFinite(value))
    throw new Error(`The file of the backup has no number in "${text}"`)
  return value
}

/** There is no file before the first backup. */
async function readIfExists(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
