import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Certificates } from './certificates.ts'
import type { EtcdPlan, HaOptions, HaPlan, NodePlan } from './plan.ts'

/** The files that are deployed. The sandbox adds its own addresses, folders and passwords, and what a test needs. */
const DEPLOYED = resolve(import.meta.dirname, '../../../deploy/ha')
const HOST = '127.0.0.1'

const at = (port: number) => `${HOST}:${port}`
const httpsAt = (port: number) => `https://${at(port)}`

/** The variables of etcd in deploy/ha/machine.example.env. */
export function etcdVariables({ etcds }: HaPlan, etcd: EtcdPlan): Record<string, string> {
  const [client, peer] = [httpsAt(etcd.clientPort), httpsAt(etcd.peerPort)]
  return {
    ETCD_NAME: etcd.name,
    ETCD_LISTEN_CLIENT_URLS: client,
    ETCD_ADVERTISE_CLIENT_URLS: client,
    ETCD_LISTEN_PEER_URLS: peer,
    ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
    ETCD_INITIAL_CLUSTER: etcds
      .map(({ name, peerPort }) => `${name}=${httpsAt(peerPort)}`)
      .join(','),
    ETCD_LISTEN_METRICS_URLS: `http://${at(etcd.metricsPort)}`,
  }
}

/** The variables of Patroni in deploy/ha/machine.example.env. */
export function patroniVariables({ etcds }: HaPlan, node: NodePlan): Record<string, string> {
  return {
    PATRONI_NAME: node.name,
    PATRONI_ETCD3_HOSTS: etcds.map(({ clientPort }) => at(clientPort)).join(','),
    PATRONI_RESTAPI_LISTEN: at(node.patroniPort),
    PATRONI_RESTAPI_CONNECT_ADDRESS: at(node.patroniPort),
    PATRONI_POSTGRESQL_LISTEN: at(node.postgresPort),
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: at(node.postgresPort),
  }
}

export function etcdEnvironment(plan: HaPlan, etcd: EtcdPlan, tls: Certificates) {
  const lines = readFileSync(join(DEPLOYED, 'etcd.env'), 'utf8').split('\n')
  const deployed = lines
    .map((line) => /^(\w+)=(.*)$/.exec(line))
    .flatMap((match) => (match ? [[match[1]!, match[2]!]] : []))
  return {
    ...(Object.fromEntries(deployed) as Record<string, string>),
    ...etcdVariables(plan, etcd),
    ETCD_DATA_DIR: join(etcd.folder, 'data'),
    ETCD_INITIAL_CLUSTER_TOKEN: plan.scope,
    ...Object.fromEntries(
      ['ETCD', 'ETCD_PEER'].flatMap((prefix) => [
        [`${prefix}_TRUSTED_CA_FILE`, tls.ca],
        [`${prefix}_CERT_FILE`, tls.certificate],
        [`${prefix}_KEY_FILE`, tls.key],
      ]),
    ),
    ...TEST_ONLY_ETCD,
  }
}

export function patroniEnvironment(plan: HaPlan, node: NodePlan): Record<string, string> {
  return {
    ...patroniVariables(plan, node),
    PATRONI_SUPERUSER_PASSWORD: plan.passwords.superuser,
    PATRONI_REPLICATION_PASSWORD: plan.passwords.replication,
    PATRONI_REWIND_PASSWORD: plan.passwords.rewind,
  }
}

/** Patroni reads all files of a folder; values of later ones replace those of earlier ones. */
export function writePatroniSettings(
  { scope }: HaPlan,
  node: NodePlan,
  tls: Certificates,
  binaries: string,
  dcs: HaOptions['dcs'],
): string {
  const folder = join(node.folder, 'settings')
  mkdirSync(folder)
  copyFileSync(join(DEPLOYED, 'patroni.yml'), join(folder, '1-deployed.yml'))
  const keyPair = { certfile: tls.certificate, keyfile: tls.key }
  const machine = {
    scope,
    restapi: { ...keyPair, cafile: tls.ca },
    ctl: { ...keyPair, cacert: tls.ca },
    etcd3: { cacert: tls.ca, cert: tls.certificate, key: tls.key },
    postgresql: {
      data_dir: join(node.folder, 'data'),
      bin_dir: binaries,
      pgpass: join(node.folder, 'pgpass'),
      authentication: {
        replication: { sslrootcert: tls.ca },
        rewind: { sslrootcert: tls.ca },
      },
      parameters: {
        ssl_ca_file: tls.ca,
        ssl_cert_file: tls.certificate,
        ssl_key_file: tls.key,
        unix_socket_directories: node.folder,
      },
    },
  }
  // JSON is YAML.
  writeFileSync(join(folder, '2-machine.yml'), JSON.stringify(machine))
  writeFileSync(join(folder, '3-test-only.yml'), JSON.stringify(testOnlyPatroni(dcs)))
  return folder
}

export function haproxyEnvironment({ ports, nodes }: HaPlan, tls: Certificates) {
  const numbered = [0, 1, 2].flatMap((index) => {
    const node = nodes[index]
    return [
      [`NODE_${index + 1}`, node ? at(node.postgresPort) : ''],
      [`PATRONI_PORT_${index + 1}`, node ? String(node.patroniPort) : ''],
    ]
  })
  return {
    PRIMARY_BIND: at(ports.primary),
    REPLICAS_BIND: at(ports.replicas),
    CA_FILE: tls.ca,
    ...(Object.fromEntries(numbered) as Record<string, string>),
  }
}

export function writeHaproxySettings(folder: string): string {
  const file = join(folder, 'haproxy.cfg')
  copyFileSync(join(DEPLOYED, 'haproxy.cfg'), file)
  return file
}

/** PgBouncer has neither variables nor a second file for the same section, so lines are replaced. */
export function writePgbouncerSettings(plan: HaPlan, folder: string, tls: Certificates): string {
  const users = join(folder, 'users.txt')
  writeFileSync(users, `"guidon_web" "${plan.passwords.web}"\n`, { mode: 0o600 })
  const replacements = {
    'host=127.0.0.1 port=5000': `host=${HOST} port=${plan.ports.primary}`,
    'listen_port = 6432': `listen_port = ${plan.ports.pooler}`,
    'auth_file = /etc/pgbouncer/users.txt': `auth_file = ${users}`,
    '/etc/guidon-ha/tls/ca.pem': tls.ca,
  }
  let text = readFileSync(join(DEPLOYED, 'pgbouncer.ini'), 'utf8')
  for (const [deployed, own] of Object.entries(replacements)) {
    if (!text.includes(deployed)) throw new Error(`pgbouncer.ini does not contain ${deployed}`)
    text = text.replace(deployed, own)
  }
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, text)
  return file
}

/** Nothing below may be deployed: a test kills processes, not machines, so nothing is flushed to disk. */
const TEST_ONLY_ETCD = { ETCD_UNSAFE_NO_FSYNC: 'true' }

function testOnlyPatroni(dcs: HaOptions['dcs'] = {}) {
  return {
    bootstrap: {
      dcs: {
        ...dcs,
        postgresql: {
          parameters: {
            max_connections: 100,
            wal_keep_size: '128MB',
            archive_command: '/bin/true',
          },
        },
      },
    },
    postgresql: { parameters: { fsync: 'off', shared_buffers: '32MB' } },
    // There is no device, and a test must not restart the machine.
    watchdog: { mode: 'off' },
  }
}
