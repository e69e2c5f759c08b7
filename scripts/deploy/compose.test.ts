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
  environment?: Record<string, string>
  secrets?: string[]
  volumes?: string[]
  networks?: string[]
  ports?: string[]
  profiles?: string[]
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
}
interface Compose {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } } | null>
  secrets: Record<string, { file: string }>
}

const compose = parse(read('deploy/compose.yaml'), { merge: true }) as Compose
const services = Object.entries(compose.services)
const guidonServices = services.filter(([, { image }]) => image.startsWith('guidon'))
const documented = new Set(
  [...read('docs/configuration.md').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name),
)
const variablesOf = (file: string) =>
  [...read(file).matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value])

describe('the compose file', () => {
  it('names only variables that Guidon reads', () => {
    const named = guidonServices
      .filter(([, { profiles }]) => !profiles?.includes('trial'))
      .flatMap(([, { environment }]) => Object.keys(environment ?? {}))
    expect(named).toContain('DATABASE_URL_FILE')
    const unknown = named.filter((name) => !documented.has(name.replace(/_FILE$/, '')))
    expect(unknown).toEqual([])
  })

  it('passes no secret as a variable', () => {
    const secrets = /KEY|PEPPER|SECRET|PASSWORD|DATABASE.*URL|SMTP_URL|BOUNCE_URL/
    const names = services.flatMap(([, { environment }]) => Object.keys(environment ?? {}))
    expect(names.filter((name) => secrets.test(name) && !name.endsWith('_FILE'))).toEqual([])
  })

  it('mounts every secret that a variable names, and only secrets that exist', () => {
    for (const [, { environment = {}, secrets = [] }] of services) {
      const named = Object.values(environment).flatMap((value) =>
        value.startsWith('/run/secrets/') ? [value.slice('/run/secrets/'.length)] : [],
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

  it('publishes only the ports of the balancer to the outside', () => {
    const published = services.filter(([, { ports }]) => ports).map(([name]) => name)
    const onThisMachine = ['prometheus', 'mailbox', 'salesforce', 'box']
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

  it('lets Prometheus reach every process by its configured name and port', () => {
    const [, apis, workers] = /targets: \[(.+)\][^]+targets: \[(.+)\]/.exec(
      read('deploy/monitoring/prometheus.yml'),
    )!
    const targets = [...`${apis} ${workers}`.matchAll(/'([\w-]+):(\d+)'/g)]
    expect(targets).toHaveLength(4)
    for (const [, name = '', port] of targets) {
      const { environment, networks } = compose.services[name]!
      expect(environment?.['METRICS_PORT']).toBe(port)
      expect(networks).toContain('monitoring')
    }
  })

  it('gives the login of the database owner only to migrate and admin', () => {
    const withOwner = services.filter(([, { secrets }]) => secrets?.includes('database-owner-url'))
    expect(withOwner.map(([name]) => name)).toEqual(['migrate', 'admin'])
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
