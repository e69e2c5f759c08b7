import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@guidon/sandbox/postgres'
import type { Postgres } from '@guidon/sandbox/postgres'

/** Copies to a temporary name first, so that an archived file is complete, and never overwrites one. */
const archiveCommand = (archive: string): string =>
  `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`

/** Makes the owner of `model` the owner of `folder`: when this process runs as root, PostgreSQL runs as another user. */
function chownLike(model: string, folder: string): void {
  const { uid, gid } = statSync(model)
  execFileSync('chown', ['-R', `${uid}:${gid}`, folder])
}

/** A new cluster that archives its WAL from its next start on. */
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
  home: string
  base: string
  archive: string
  /** The old cluster's own WAL, if its disk is still readable; it reaches further than the archive. */
  wal?: string
}

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
