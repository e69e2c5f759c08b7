import { execFile, execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  readdirSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { postgresBinaries } from '@guidon/sandbox/postgres/binaries'
import { postgresToolsFolder } from './postgres-tools.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../../..')

const MARK = '<!-- not run: the proof restore runs it -->'

/** The commands in a section of a page in `docs/operate` that have the mark of this proof. */
export function commandsOf(page: string, heading: string): string[] {
  const text = readFileSync(join(root, 'docs/operate', page), 'utf8')
  const section = text.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  const blocks = section.split(MARK).slice(1)
  return blocks.map((block) => /^ *```sh\n([^]+?)^ *```$/m.exec(block)![1]!)
}

/** The port of a cluster that does not run. */
const UNUSED_PORT = 1

interface Cluster {
  /** The folder of `startPostgres`, which contains the folder `cluster` and the file `password`. */
  home: string
  port?: number
}

/** Stands for a machine with PostgreSQL, on which an operator runs the commands of `docs/operate`. */
export class BackupHost {
  readonly repository: string
  readonly metrics: string
  readonly secrets: string
  readonly #folder: string
  readonly #owner: { uid: number; gid: number }
  readonly #passwords: string
  #repositoryInUse: string

  /** `folder` must be one that the user of PostgreSQL can enter. */
  constructor(folder: string, cluster: string) {
    const { uid, gid } = statSync(cluster)
    this.#folder = folder
    this.#owner = { uid, gid }
    this.#repositoryInUse = this.repository = join(folder, 'repository')
    this.#passwords = join(folder, 'operator/pgpass')
    this.secrets = join(folder, 'secrets')
    this.metrics = join(folder, 'metrics/backup.prom')
    for (const name of ['metrics', 'operator']) this.#makeFolder(join(folder, name))
    cpSync(join(root, 'deploy/postgres'), join(folder, 'operator/deploy/postgres'), {
      recursive: true,
    })
    this.giveToPostgres(join(folder, 'operator'))
    // The commands of the operator create the other folders in it.
    execFileSync('chown', [`${uid}:${gid}`, folder])
  }

  #makeFolder(path: string): void {
    mkdirSync(path, { recursive: true })
    this.giveToPostgres(path)
  }

  /** Makes the user of PostgreSQL the owner of a folder. */
  giveToPostgres(path: string): void {
    execFileSync('chown', ['-R', `${this.#owner.uid}:${this.#owner.gid}`, path])
  }

  /** Writes the settings file that `docs/operate/backup.md` describes, for this cluster. */
  writeSettings({ home, port = UNUSED_PORT }: Cluster): void {
    writeFileSync(this.#passwords, '', { mode: 0o600 })
    this.addPassword(home, port)
    const { initdb } = postgresBinaries(this.#owner)
    writeFileSync(
      join(this.#folder, 'operator/backup.env'),
      Object.entries({
        PATH: `${postgresToolsFolder()}:${dirname(initdb)}:$PATH`,
        PGDATA: join(home, 'cluster'),
        PGHOST: '127.0.0.1',
        PGPORT: port,
        PGUSER: 'postgres',
        PGPASSFILE: this.#passwords,
        BACKUP_FOLDER: this.#repositoryInUse,
        SECRETS_DIR: this.secrets,
        BACKUP_METRICS_PATH: this.metrics,
        DRILL_FOLDER: join(this.#folder, 'drill'),
      })
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    )
    this.giveToPostgres(join(this.#folder, 'operator'))
  }

  addPassword(home: string, port: number): void {
    const password = readFileSync(join(home, 'password'), 'utf8').trim()
    appendFileSync(this.#passwords, `127.0.0.1:${port}:*:*:${password}\n`)
  }

  /** Like the containers, mounts the repository read-only for restores. Needs root; without it, nothing changes. */
  mountReadOnly(): () => void {
    if (process.getuid?.() !== 0) return () => {}
    const mounted = join(this.#folder, 'repository-read-only')
    mkdirSync(mounted)
    execFileSync('mount', ['--bind', this.repository, mounted])
    execFileSync('mount', ['-o', 'remount,ro,bind', mounted])
    this.#repositoryInUse = mounted
    return () => {
      if (this.#repositoryInUse === mounted) execFileSync('umount', [mounted])
      this.#repositoryInUse = this.repository
    }
  }

  #options(env: Record<string, string>) {
    return {
      ...this.#owner,
      cwd: join(this.#folder, 'operator'),
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: join(this.#folder, 'operator'),
        BACKUP_SETTINGS: join(this.#folder, 'operator/backup.env'),
        ...env,
      },
    }
  }

  /** Runs a command as the user of PostgreSQL, in a folder that contains `deploy/postgres`. */
  async run(command: string, env: Record<string, string> = {}): Promise<string> {
    const { stdout } = await run('bash', ['-euc', command], this.#options(env))
    return stdout
  }

  /** Starts a command that runs until it is stopped. */
  start(command: string): ChildProcess {
    return spawn('bash', ['-euc', `exec ${command}`], {
      ...this.#options({}),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }

  /** When the last backup and the last verification succeeded, in seconds since 1970. */
  lastSuccess(): { backup: number; verify: number } {
    const file = readFileSync(this.metrics, 'utf8')
    const timeOf = (name: string) =>
      Number(
        new RegExp(`^guidon_${name}_last_success_timestamp_seconds (\\d+)$`, 'm').exec(file)![1],
      )
    return { backup: timeOf('backup'), verify: timeOf('backup_verify') }
  }

  files(): string[] {
    return (
      readdirSync(this.repository, { recursive: true, withFileTypes: true })
        // `latest` is a link to one of the backups.
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('/latest'))
        .map((entry) => join(entry.parentPath, entry.name))
        .toSorted()
    )
  }

  /** One hash over the names and contents of all files of the repository. */
  hash(): string {
    const hash = createHash('sha256')
    for (const file of this.files()) hash.update(`${file}\n`).update(readFileSync(file))
    return hash.digest('hex')
  }
}
