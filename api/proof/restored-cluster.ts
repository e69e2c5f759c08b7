import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@guidon/sandbox/postgres'
import type { Postgres } from '@guidon/sandbox/postgres'

/** What is archived is whole: copied beside its name first, and never over another. */
export const archiveCommand = (archive: string): string =>
  `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`

/** Gives a folder to whoever owns the cluster: as root that is another user. */
export function chownLike(cluster: string, folder: string): void {
  const { uid, gid } = statSync(cluster)
  execFileSync('chown', ['-R', `${uid}:${gid}`, folder])
}

/** A new cluster with an archive; the settings hold from its next start on. */
export async function createArchivingCluster(home: string, archive: string): Promise<void> {
  const postgres = await startPostgres({ dataDir: home, durable: true })
  await postgres.stop()
  mkdirSync(archive)
  chownLike(join(home, 'cluster'), archive)
  appendFileSync(
    join(home, 'cluster/postgresql.auto.conf'),
    `archive_mode = on\narchive_command = '${archiveCommand(archive)}'\n`,
  )
}

interface Restore {
  /** The folder that the new cluster is made in. */
  home: string
  base: string
  archive: string
  /** The old cluster's own log, where its disk could still be read: it reaches up to the end. */
  wal?: string
}

/** The base backup, brought up to the end of the log. */
export async function restoreCluster({ home, base, archive, wal }: Restore): Promise<Postgres> {
  mkdirSync(home, { mode: 0o711 })
  const cluster = join(home, 'cluster')
  cpSync(base, cluster, { recursive: true })
  if (wal) cpSync(wal, join(cluster, 'pg_wal'), { recursive: true })
  writeFileSync(join(cluster, 'recovery.signal'), '')
  appendFileSync(
    join(cluster, 'postgresql.auto.conf'),
    `archive_mode = off\nrestore_command = 'cp ${archive}/%f %p'\n`,
  )
  chmodSync(cluster, 0o700)
  chownLike(archive, cluster)
  cpSync(join(archive, '../password'), join(home, 'password'))
  return startPostgres({ dataDir: home, durable: true })
}
