import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SANDBOX_CREDENTIALS } from '@guidon/sandbox/box/box'
import { SANDBOX_CLIENT } from '@guidon/sandbox/salesforce/rest/sessions'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')

interface Service {
  image: string
  command?: string[]
  entrypoint?: string[]
  environment?: Record<string, string | null>
  secrets?: string[]
  volumes?: string[]
  networks?: string[]
  network_mode?: string
  user?: string
  ports?: string[]
  profiles?: string[]
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  mem_limit?: string
  pids_limit?: number
  logging?: { driver: string }
}
interface Compose {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } } | null>
  secrets: Record<string, { file: string }>
}

const compose = parse(read('deploy/compose.yaml'), { merge: true }) as Compose
const services = Object.entries(compose.services)
const guidonServices = services.filter(([, { image }]) => image.startsWith('guidon:'))
const documented = new Set(
  [...read('docs/configuration.md').matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name),
)
const isDocumented = (name: string) => documented.has(name)
const variablesOf = (file: string) =>
  [...read(file).matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value])

describe('the compose file', () => {
  it('names only variables that Guidon reads', () => {
    const named = guidonServices
      .filter(([, { profiles }]) => !profiles?.includes('trial'))
      .flatMap(([, { environment }]) => Object.keys(environment ?? {}))
    expect(named).toContain('DATABASE_URL_FILE')
    const unknown = named.filter(
      // The entrypoint reads UV_THREADPOOL_SIZE.
      (name) =>
        ![name, name.replace(/_FILE$/, '')].some(isDocumented) && name !== 'UV_THREADPOOL_SIZE',
    )
    expect(unknown).toEqual([])
  })

  it('lets deploy/.env set every variable that it does not set itself', () => {
    // The image, the volumes and the networks of compose.yaml determine these.
    const fixed = ['NODE_ENV', 'HOST', 'PORT', 'UPLOAD_DIR', 'BRAND_DIR', 'WEB_DIR']
    // The compose file has one PostgreSQL and no replica.
    const replica = ['DATABASE_READ_URL']
    // viewing.yaml sets these.
    const viewing = ['DOCUMENT_VIEWING', 'BOX_VIEWERS']
    const passed = new Set(
      guidonServices.flatMap(([, { environment }]) => Object.keys(environment ?? {})),
    )
    const missing = [...documented].filter(
      (name) => !passed.has(name) && !passed.has(`${name}_FILE`),
    )
    expect(missing.toSorted()).toEqual([...fixed, ...replica, ...viewing].toSorted())
    for (const name of viewing) expect(read('deploy/viewing.yaml')).toContain(`${name}:`)
    const fromFile = Object.entries(compose.services['worker-1']!.environment!)
      .filter(([name, value]) => value === null || value.startsWith(`\${${name}`))
      .map(([name]) => name)
    const example = [...read('deploy/example.env').matchAll(/^#?(\w+)=/gm)].map(
      ([, name = '']) => name,
    )
    expect(fromFile.filter((name) => !example.includes(name))).toEqual([])
    const used = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
    const unused = example.filter((name) => ![...used, ...passed].includes(name))
    expect(unused).toEqual([])
  })

  it('gives the mail relay and its password only to workers', () => {
    const withRelay = services.filter(([, { secrets }]) => secrets?.includes('smtp-url'))
    expect(withRelay.map(([name]) => name)).toEqual(['worker-1', 'worker-2'])
  })

  it('gives the keys of password hashes to every process of the portal but the workers', () => {
    const withPepper = services.filter(([, { secrets }]) => secrets?.includes('password-pepper'))
    expect(withPepper.map(([name]) => name)).toEqual(['api-1', 'api-2', 'migrate', 'admin'])
  })

  it('limits memory and processes of every service, and keeps its log in the journal', () => {
    for (const [name, { mem_limit, pids_limit, logging }] of services) {
      expect({ name, mem_limit, pids_limit, logging }).toEqual({
        name,
        mem_limit: expect.stringMatching(/\dg\}?$/),
        pids_limit: expect.any(Number),
        logging: { driver: '${LOG_DRIVER:-journald}' },
      })
    }
  })

  it('gives the checkers a user of their own, and no secrets, settings, network or folder but that of the socket', () => {
    const names = ['checker-1', 'checker-2']
    for (const name of names) {
      const folder = `/run/${name}`
      const { environment, secrets, networks, ...service } = compose.services[name]!
      expect({ environment, secrets, networks, service }).toMatchObject({
        environment: undefined,
        secrets: undefined,
        networks: undefined,
        service: {
          network_mode: 'none',
          user: '10002:10002',
          command: ['checker', `${folder}/checker.sock`],
          volumes: [`${name}:${folder}`],
        },
      })
      expect(service.volumes).toHaveLength(1)
      expect(read('deploy/Dockerfile')).toMatch(new RegExp(`--owner=checker .*${folder}\\b`))
    }
    const withSocket = (name: string) =>
      services.filter(([, { volumes }]) => volumes?.some((one) => one.startsWith(`${name}:`)))
    for (const name of names) {
      expect(withSocket(name).map(([user]) => user)).toEqual(['api-1', 'api-2', name])
    }
    expect(compose.services['api-1']?.environment?.['CHECKER_SOCKETS']).toBe(
      names.map((name) => `/run/${name}/checker.sock`).join(),
    )
  })

  it('passes no secret as a variable', () => {
    const secrets = /KEY|PEPPER|SECRET|PASSWORD|DATABASE.*URL|SMTP_URL|BOUNCE_URL/
    const names = services.flatMap(([, { environment }]) => Object.keys(environment ?? {}))
    expect(names.filter((name) => secrets.test(name) && !name.endsWith('_FILE'))).toEqual([])
  })

  it('mounts every secret that a variable names, and only secrets that exist', () => {
    for (const [, { environment = {}, secrets = [] }] of services) {
      const named = Object.values(environment).flatMap((value) =>
        value?.startsWith('/run/secrets/') ? [value.slice('/run/secrets/'.length)] : [],
      )
      expect(secrets).toEqual(expect.arrayContaining(named))
      expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets))
    }
    const script = read('deploy/make-secrets')
    for (const secret of Object.keys(compose.secrets)) {
      const word = secret.replace(/^database-(superuser|owner|web)-password$/, '$1')
      expect(script).toMatch(new RegExp(`\\b${word}\\b`))
    }
  })

  it('mounts only files that exist', () => {
    const mounted = services.flatMap(([, { volumes = [] }]) =>
      volumes.filter((volume) => volume.startsWith('./')).map((volume) => volume.split(':')[0]!),
    )
    expect(mounted).toContain('./haproxy.cfg')
    expect(mounted.filter((path) => !existsSync(join(root, 'deploy', path)))).toEqual([])
  })

  it('drops all privileges, and makes every root file system read-only except the scanner’s', () => {
    for (const [name, { cap_drop, security_opt, read_only }] of services) {
      expect({ name, cap_drop, security_opt, read_only }).toEqual({
        name,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        // The scanner's image writes to many folders.
        read_only: name === 'clamd' ? undefined : true,
      })
    }
  })

  it('lets the scanner create the socket that its image waits for', () => {
    expect(compose.services['clamd']?.image).toMatch(/^clamav\/clamav:1\./)
    expect(read('deploy/clamd.conf')).toMatch(/^LocalSocket \/run\/clamav\/clamd\.sock$/m)
  })

  it('publishes only the ports of the balancer to the outside', () => {
    const published = services.filter(([, { ports }]) => ports).map(([name]) => name)
    const onThisMachine = ['prometheus', 'alertmanager', 'mailbox', 'salesforce', 'box']
    expect(published).toEqual(['balancer', ...onThisMachine])
    for (const name of onThisMachine) {
      expect(compose.services[name]?.ports?.[0]).toMatch(/^127\.0\.0\.1:/)
    }
    const outside = (service: Service) =>
      (service.networks ?? []).filter((network) => !compose.networks[network]?.internal)
    expect(outside(compose.services['postgres']!)).toEqual([])
    expect(outside(compose.services['api-1']!)).toEqual([])
  })

  it('trusts the network of the balancer, which has no other members than the APIs', () => {
    const { subnet } = compose.networks['front']!.ipam!.config[0]!
    const api = compose.services['api-1']!
    expect(api.environment?.['TRUST_PROXY']).toBe(subnet)
    const members = services.filter(([, { networks }]) => networks?.includes('front'))
    expect(members.map(([name]) => name)).toEqual(['balancer', 'api-1', 'api-2'])
  })

  it('shows metrics to the network of Prometheus only, and lets nobody but the APIs reach the scanner', () => {
    const { subnet } = compose.networks['monitoring']!.ipam!.config[0]!
    for (const name of ['api-1', 'worker-1'])
      expect(compose.services[name]!.environment?.['METRICS_HOST']).toBe(subnet)
    const scanner = compose.services['clamd']!.networks ?? []
    const others = services.filter(
      ([name, { networks }]) =>
        name !== 'clamd' && networks?.some((network) => scanner.includes(network)),
    )
    expect(others.map(([name]) => name)).toEqual(['api-1', 'api-2'])
  })

  it('lets Prometheus reach every process and exporter by its configured name and port', () => {
    const configuration = read('deploy/monitoring/prometheus.yml')
    const addresses = [...configuration.matchAll(/'([a-z][\w-]+):(\d+)'/g)]
    expect(addresses.map(([, name = '']) => name).toSorted()).toEqual(
      services
        .filter(([name, { networks }]) => networks?.includes('monitoring') && name !== 'prometheus')
        .map(([name]) => name)
        .toSorted(),
    )
    const processes = addresses.filter(([, name = '']) => /^(?:api|worker)-/.test(name))
    expect(processes).toHaveLength(4)
    for (const [, name = '', port] of processes) {
      expect(compose.services[name]!.environment?.['METRICS_PORT']).toBe(port)
    }
  })

  it('gives Prometheus and Alertmanager every variable of their files', () => {
    for (const name of ['prometheus', 'alertmanager']) {
      const { entrypoint = [], environment = {} } = compose.services[name]!
      const files = entrypoint.filter((argument) => argument.endsWith('.yml'))
      const needed = files.flatMap((file) =>
        [...read(`deploy/monitoring/${file}`).matchAll(/\$\{([A-Z_]+)\}/g)].map(([, n]) => n!),
      )
      expect([...new Set(needed)].toSorted()).toEqual(Object.keys(environment).toSorted())
    }
  })

  it('gives the login of the database owner only to migrate and admin', () => {
    const withOwner = services.filter(([, { secrets }]) => secrets?.includes('database-owner-url'))
    expect(withOwner.map(([name]) => name)).toEqual(['migrate', 'admin'])
  })

  it('archives the WAL of the real database, and of nothing else', () => {
    const archiving = services.filter(([, { command }]) =>
      command?.some((argument) => argument.includes('archive_mode')),
    )
    expect(archiving.map(([name]) => name)).toEqual(['postgres'])
    expect(compose.services['postgres']?.command).toEqual(
      expect.arrayContaining([
        '-carchive_mode=${ARCHIVE_MODE:-on}',
        '-carchive_command=/guidon/pgbackrest archive-push %p',
      ]),
    )
  })

  it('keeps the content of rows out of the log of PostgreSQL', () => {
    expect(compose.services['postgres']?.command).toContain('-clog_error_verbosity=terse')
  })

  it('must not archive or take backups in a restore on another machine, as restore.md says', () => {
    const [, drill = ''] = /^## Restore drill$([^]+?)^## /m.exec(read('docs/operate/restore.md'))!
    expect(drill).toContain('`ARCHIVE_MODE=off`')
    expect(drill).toMatch(/do not start\s+the service `backup`/)
  })

  it('lets a restore and a restore drill read the repository of backups, but not write to it', () => {
    const repositoryOf = (name: string) =>
      compose.services[name]?.volumes?.find((volume) => volume.includes(':/backup'))
    const folder = '${BACKUP_FOLDER:-backup}:/backup'
    expect(['postgres', 'backup', 'restore', 'restore-drill'].map(repositoryOf)).toEqual([
      folder,
      folder,
      `${folder}:ro`,
      `${folder}:ro`,
    ])
  })

  it('keeps the restore drill apart from the real database', () => {
    const { networks, volumes, profiles } = compose.services['restore-drill']!
    expect(profiles).toEqual(['restore'])
    expect(networks).toEqual(['restore'])
    expect(compose.networks['restore']?.internal).toBe(true)
    const members = services.filter(([, service]) => service.networks?.includes('restore'))
    expect(members.map(([name]) => name)).toEqual(['restore', 'restore-drill'])
    expect(volumes?.filter((volume) => volume.startsWith('postgres'))).toEqual([])
  })

  it('gives the passphrase of the backups only to services that read or write them', () => {
    const withPassphrase = services.filter(([, { secrets }]) =>
      secrets?.includes('backup-passphrase'),
    )
    expect(withPassphrase.map(([name]) => name)).toEqual([
      'postgres',
      'backup',
      'restore',
      'restore-drill',
    ])
  })

  it('shows the workers the metrics of the backup', () => {
    for (const name of ['worker-1', 'worker-2']) {
      const { environment, volumes } = compose.services[name]!
      expect(environment?.['BACKUP_METRICS_PATH']).toBe('/backup-metrics/backup.prom')
      expect(volumes).toContain('backup-metrics:/backup-metrics:ro')
    }
    expect(compose.services['backup']?.volumes).toContain('backup-metrics:/backup-metrics')
  })

  it('finds all required settings in example.env and trial.env', () => {
    const needed = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, n]) => n)
    for (const file of ['deploy/example.env', 'deploy/trial.env']) {
      const names = variablesOf(file).map(([name]) => name)
      expect(names).toEqual(expect.arrayContaining(needed))
    }
  })

  it('uses the credentials of the sandboxes for the trial', () => {
    expect(Object.fromEntries(variablesOf('deploy/trial.env'))).toMatchObject({
      SALESFORCE_CLIENT_ID: SANDBOX_CLIENT.id,
      BOX_CLIENT_ID: SANDBOX_CREDENTIALS.clientId,
      BOX_ENTERPRISE_ID: SANDBOX_CREDENTIALS.enterpriseId,
    })
    const script = read('deploy/make-secrets')
    expect(script).toContain(`'${SANDBOX_CLIENT.secret}' | create salesforce-client-secret`)
    expect(script).toContain(`'${SANDBOX_CREDENTIALS.clientSecret}' | create box-client-secret`)
  })
})

describe('the image of PostgreSQL', () => {
  it('contains every script that a service starts, and the settings of pgBackRest', () => {
    const [, scripts = ''] = /^COPY --chmod=755 (.+) \/guidon\/$/m.exec(
      read('deploy/postgres/Dockerfile'),
    )!
    const started = services
      .filter(([, { image }]) => image.startsWith('guidon-postgres:'))
      .flatMap(([, { entrypoint = [] }]) => entrypoint)
    expect(started).toEqual(['/guidon/backup-schedule', '/guidon/restore', '/guidon/restore-drill'])
    for (const path of started) expect(scripts.split(' ')).toContain(path.replace('/guidon/', ''))
    for (const script of scripts.split(' ')) {
      expect(read(`deploy/postgres/${script}`)).toContain('/backup-settings.sh"')
    }
  })

  it('turns archiving off in everything that is restored', () => {
    const scripts = ['backup', 'restore', 'restore-drill', 'backup-settings.sh']
    const restoring = scripts.flatMap((script) =>
      [...read(`deploy/postgres/${script}`).matchAll(/^.*pgbackrest restore.*$/gm)].map(([l]) => l),
    )
    expect(restoring).toHaveLength(1)
    expect(restoring[0]).toContain('--archive-mode=off')
    const [, options] = /--options="(.+)"/.exec(read('deploy/postgres/restore-drill'))!
    expect(options).toContain('-c archive_mode=off')
  })

  it('encrypts the repository, and keeps backups by their age', () => {
    const settings = read('deploy/postgres/pgbackrest.conf')
    expect(settings).toMatch(/^repo1-cipher-type=aes-256-cbc$/m)
    expect(settings).toMatch(/^repo1-retention-full-type=time$/m)
    expect(settings).toMatch(/^repo1-retention-full=\d+$/m)
  })
})

describe('the image', () => {
  it('is built only from files that .dockerignore allows', () => {
    const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path = '']) => path)
    const copied = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, paths = '']) => paths.split(' '),
    )
    const ignored = copied.filter(
      (path) => !allowed.some((entry) => path === entry || path.startsWith(`${entry}/`)),
    )
    expect(ignored).toEqual([])
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
