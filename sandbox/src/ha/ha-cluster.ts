import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { postgresUser } from '../postgres/os-user.ts'
import { queryOnce } from '../postgres/query.ts'
import { makeCertificates } from './certificates.ts'
import type { Certificates } from './certificates.ts'
import { Etcd } from './etcd.ts'
import { httpsClient } from './https-json.ts'
import type { HttpsClient } from './https-json.ts'
import { HaNode } from './node.ts'
import { planCluster } from './plan.ts'
import type { HaOptions, HaPlan } from './plan.ts'
import { pollUntil } from './poll.ts'
import { signalBelow } from './processes-below.ts'
import * as settings from './settings.ts'
import type { SupervisedProcess } from './supervisor.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const SUPERVISOR = resolve(import.meta.dirname, 'supervisor.ts')
const DATABASE = 'guidon'

/** Starts a process in the folder, as the user of PostgreSQL. */
export type Run = (
  folder: string,
  command: string,
  args: readonly string[],
  env: Record<string, string>,
) => void

interface Member {
  name: string
  role: string
  state: string
}

/**
 * A real etcd, Patroni, PostgreSQL 18, HAProxy and PgBouncer on 127.0.0.1, with the settings of deploy/ha, for tests
 * that kill parts of it. Linux only.
 */
export class HaCluster {
  readonly nodes: readonly HaNode[]
  readonly etcds: readonly Etcd[]
  /** `pooled` goes through PgBouncer, the others through HAProxy. */
  readonly urls: Record<'superuser' | 'owner' | 'web' | 'pooled', string>
  readonly plan: HaPlan
  readonly #isSynchronous: boolean
  readonly #supervisor: ChildProcess
  readonly #https: HttpsClient

  private constructor(
    plan: HaPlan,
    tls: Certificates,
    supervisor: ChildProcess,
    parts: Pick<HaCluster, 'nodes' | 'etcds'>,
    { dcs }: HaOptions,
  ) {
    this.plan = plan
    this.#isSynchronous = dcs?.['synchronous_mode'] !== false
    this.#supervisor = supervisor
    this.nodes = parts.nodes
    this.etcds = parts.etcds
    this.#https = httpsClient(tls)
    const { passwords, ports } = plan
    const url = (user: string, password: string, port: number, database = DATABASE) =>
      `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
    const verified = `?sslmode=verify-full&sslrootcert=${tls.ca}`
    this.urls = {
      superuser: url('postgres', passwords.superuser, ports.primary, 'postgres') + verified,
      owner: url('guidon_owner', passwords.owner, ports.primary) + verified,
      web: url('guidon_web', passwords.web, ports.primary) + verified,
      pooled: url('guidon_web', passwords.web, ports.pooler),
    }
  }

  /** Settles when the primary accepts writes, has a standby, and PgBouncer accepts connections. */
  static async start(options: HaOptions): Promise<HaCluster> {
    const tools = execFileSync(join(ROOT, '.ci/ha-tools'), { encoding: 'utf8' }).trim()
    const plan = await planCluster(options)
    const { folder } = plan
    const user = postgresUser(folder)
    const tlsFolder = join(folder, 'tls')
    for (const name of ['tls', 'secrets', 'haproxy', 'pgbouncer']) mkdirSync(join(folder, name))
    for (const part of [...plan.nodes, ...plan.etcds]) {
      mkdirSync(part.folder, { recursive: true, mode: 0o700 })
    }
    const tls = makeCertificates(tlsFolder)
    const supervisor = spawn(
      join(tools, 'tini'),
      ['-s', '--', process.execPath, SUPERVISOR, folder],
      { detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
    )
    const run: Run = (cwd, command, args, env) => {
      const name = cwd.slice(folder.length + 1).replaceAll('/', '-')
      supervisor.send({
        ...user,
        command,
        args,
        cwd,
        // Not the caller's variables: its PG* and PYTHON* ones would apply to these processes too.
        env: {
          PATH: process.env['PATH'] ?? '',
          LC_ALL: 'C.UTF-8',
          TZ: 'UTC',
          HOME: folder,
          ...env,
        },
        log: join(folder, `${name}.log`),
      } satisfies SupervisedProcess)
    }
    const binaries = resolve(tools, '../root/usr/lib/postgresql/18/bin')
    const etcds = plan.etcds.map(
      (etcd) =>
        new Etcd(etcd, () =>
          run(etcd.folder, join(tools, 'etcd'), [], settings.etcdEnvironment(plan, etcd, tls)),
        ),
    )
    const nodes = plan.nodes.map((node) => {
      const path = settings.writePatroniSettings(plan, node, tls, binaries, options.dcs)
      const env = { PYTHONDONTWRITEBYTECODE: '1', ...settings.patroniEnvironment(plan, node) }
      const etcd = etcds.find((one) => one.plan.folder.startsWith(`${node.folder}/`))
      return new HaNode(node, etcd, () => run(node.folder, join(tools, 'patroni'), [path], env))
    })
    const cluster = new HaCluster(plan, tls, supervisor, { nodes, etcds }, options)
    try {
      const haproxyFile = settings.writeHaproxySettings(join(folder, 'haproxy'))
      const pgbouncerFile = settings.writePgbouncerSettings(plan, join(folder, 'pgbouncer'), tls)
      if (user.uid !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
      chmodSync(folder, 0o711)
      for (const etcd of etcds) etcd.start()
      await pollUntil(
        'etcd is healthy',
        async () => (await cluster.#https(etcds[0]!.plan.clientPort, '/health')).status === 200,
      )
      for (const node of nodes) node.start()
      run(join(folder, 'haproxy'), 'haproxy', ['-db', '-f', haproxyFile], {
        ...settings.haproxyEnvironment(plan, tls),
        PATH: '/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin',
      })
      await cluster.untilHealthy()
      cluster.#createRoles(tools, tls)
      run(join(folder, 'pgbouncer'), join(tools, 'pgbouncer'), [pgbouncerFile], {})
      await pollUntil('PgBouncer accepts connections', async () => {
        await queryOnce(cluster.urls.pooled, 'select')
        return true
      })
      return cluster
    } catch (error) {
      await cluster.drop()
      throw error
    }
  }

  /** As docs/operate/availability.md tells an operator to. */
  #createRoles(tools: string, tls: Certificates): void {
    const { folder, passwords, ports } = this.plan
    const secrets = join(folder, 'secrets')
    writeFileSync(join(secrets, 'database-owner-password'), passwords.owner, { mode: 0o600 })
    writeFileSync(join(secrets, 'database-web-password'), passwords.web, { mode: 0o600 })
    execFileSync('sh', [join(ROOT, 'deploy/postgres/roles.sh')], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: `${tools}:${process.env['PATH']}`,
        SECRETS_DIR: secrets,
        POSTGRES_USER: 'postgres',
        PGHOST: '127.0.0.1',
        PGPORT: String(ports.primary),
        PGPASSWORD: passwords.superuser,
        PGSSLMODE: 'verify-ca',
        PGSSLROOTCERT: tls.ca,
      },
    })
  }

  /** The node that is the primary, if there is one. */
  async leader(): Promise<HaNode | undefined> {
    const isPrimary = await Promise.all(
      this.nodes.map(({ plan }) =>
        this.#https(plan.patroniPort, '/primary').then(
          ({ status }) => status === 200,
          () => false,
        ),
      ),
    )
    return this.nodes.find((_, index) => isPrimary[index])
  }

  async standbys(): Promise<HaNode[]> {
    const leader = await this.leader()
    return this.nodes.filter((node) => node !== leader)
  }

  async #members(): Promise<Member[]> {
    const leader = await this.leader()
    if (!leader) return []
    const { body } = await this.#https(leader.plan.patroniPort, '/cluster')
    return (JSON.parse(body) as { members: Member[] }).members
  }

  /**
   * Asks PostgreSQL and Patroni: PostgreSQL waits for a standby before Patroni records that this standby may become
   * primary. A primary that is killed in between has no successor.
   */
  async #isInSync(): Promise<boolean> {
    const members = await this.#members()
    if (!members.some(({ role }) => /^(sync|quorum)_standby$/.test(role))) return false
    const [row] = await queryOnce<{ n: number }>(
      this.urls.superuser,
      `select count(*)::int as n from pg_stat_replication where sync_state in ('sync', 'quorum')`,
    )
    return (row?.n ?? 0) > 0
  }

  /** Settles when every node runs, and in synchronous mode a standby has all commits. */
  async untilHealthy(): Promise<void> {
    await pollUntil('every node runs', async () => {
      // Asks each node: the others list a killed one as running until its lease expires.
      const ports = this.nodes.map(({ plan }) => plan.patroniPort)
      const health = await Promise.all(ports.map((port) => this.#https(port, '/health')))
      const members = await this.#members()
      const running = members.filter(({ state }) => ['running', 'streaming'].includes(state))
      return health.every(({ status }) => status === 200) && running.length === ports.length
    })
    if (this.#isSynchronous) await pollUntil('a standby has all commits', () => this.#isInSync())
  }

  /** Ends the lease of the primary now, instead of after `ttl` seconds. */
  async expireLease(): Promise<void> {
    const etcd = this.etcds.find(({ isRunning }) => isRunning)
    if (!etcd) throw new Error('no etcd runs')
    await etcd.revokeLease(this.#https, this.plan.scope)
  }

  /** A planned change of the primary, as `patronictl switchover` does it. */
  async switchover(): Promise<void> {
    const leader = await this.leader()
    if (!leader) throw new Error('there is no primary')
    const { status, body } = await this.#https(leader.plan.patroniPort, '/switchover', {
      leader: leader.plan.name,
    })
    if (status !== 200) throw new Error(`the switchover failed: ${status} ${body}`)
  }

  /** Kills everything; the supervisor then removes the folder. */
  async drop(): Promise<void> {
    const exited = once(this.#supervisor, 'exit')
    signalBelow(this.plan.folder, 'SIGKILL')
    this.#supervisor.disconnect()
    await exited
  }
}
