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
const own = services.filter(([, { image }]) => image.startsWith('guidon'))
const documented = new Set(
  [...read('docs/configuration.md').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name),
)
const variablesOf = (file: string) =>
  [...read(file).matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value])

describe('the compose file', () => {
  it('names only variables that Guidon reads', () => {
    const named = own
      .filter(([, { profiles }]) => !profiles?.includes('trial'))
      .flatMap(([, { environment }]) => Object.keys(environment ?? {}))
    expect(named).toContain('DATABASE_URL_FILE')
    const unknown = named.filter((name) => !documented.has(name.replace(/_FILE$/, '')))
    expect(unknown).toEqual([])
  })

  it('gives no secret as a variable', () => {
    const secrets = /KEY|PEPPER|SECRET|PASSWORD|DATABASE.*URL|SMTP_URL/
    const given = services.flatMap(([, { environment }]) => Object.keys(environment ?? {}))
    expect(given.filter((name) => secrets.test(name) && !name.endsWith('_FILE'))).toEqual([])
  })

  it('mounts every secret that a variable points to, and none that is not there', () => {
    for (const [, { environment = {}, secrets = [] }] of services) {
      const pointed = Object.values(environment).flatMap((value) =>
        value.startsWith('/run/secrets/') ? [value.slice('/run/secrets/'.length)] : [],
      )
      expect(secrets).toEqual(expect.arrayContaining(pointed))
      expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets))
    }
    const made = read('deploy/make-secrets')
    for (const secret of Object.keys(compose.secrets)) {
      const word = secret.replace(/^database-(superuser|owner|web)-password$/, '$1')
      expect(made).toMatch(new RegExp(`\\b${word}\\b`))
    }
  })

  it('mounts only files that exist', () => {
    const mounted = services.flatMap(([, { volumes = [] }]) =>
      volumes.filter((volume) => volume.startsWith('./')).map((volume) => volume.split(':')[0]!),
    )
    expect(mounted).toContain('./haproxy.cfg')
    expect(mounted.filter((path) => !existsSync(join(root, 'deploy', path)))).toEqual([])
  })

  it('takes away every privilege, and what can be read-only is', () => {
    for (const [name, { cap_drop, security_opt, read_only }] of services) {
      expect({ name, cap_drop, security_opt, read_only }).toEqual({
        name,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        // The scanner's image writes in many places.
        read_only: name === 'clamd' ? undefined : true,
      })
    }
  })

  it('lets nobody but the balancer be reached from outside', () => {
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

  it('believes the balancer, and whoever else is on its network: only the APIs', () => {
    const { subnet } = compose.networks['front']!.ipam!.config[0]!
    const api = compose.services['api-1']!
    expect(api.environment?.['TRUST_PROXY']).toBe(subnet)
    const there = services.filter(([, { networks }]) => networks?.includes('front'))
    expect(there.map(([name]) => name)).toEqual(['balancer', 'api-1', 'api-2'])
  })

  it('lets Prometheus find every process under the name that it looks for', () => {
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

  it('keeps the owner of the database from the processes that serve and work', () => {
    const knowing = services.filter(([, { secrets }]) => secrets?.includes('database-owner-url'))
    expect(knowing.map(([name]) => name)).toEqual(['migrate', 'admin'])
  })

  it('finds all its settings in the example and in the trial', () => {
    const needed = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, n]) => n)
    for (const file of ['deploy/example.env', 'deploy/trial.env']) {
      const names = variablesOf(file).map(([name]) => name)
      expect(names).toEqual(expect.arrayContaining(needed))
    }
  })

  it("tries it with the sandboxes' own accounts", () => {
    expect(Object.fromEntries(variablesOf('deploy/trial.env'))).toMatchObject({
      SALESFORCE_CLIENT_ID: SANDBOX_CLIENT.id,
      BOX_CLIENT_ID: SANDBOX_CREDENTIALS.clientId,
      BOX_ENTERPRISE_ID: SANDBOX_CREDENTIALS.enterpriseId,
    })
    const made = read('deploy/make-secrets')
    expect(made).toContain(`'${SANDBOX_CLIENT.secret}' | keep salesforce-client-secret`)
    expect(made).toContain(`'${SANDBOX_CREDENTIALS.clientSecret}' | keep box-client-secret`)
  })
})

describe('the image', () => {
  it('is built from files that .dockerignore lets through', () => {
    const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path = '']) => path)
    const copied = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, paths = '']) => paths.split(' '),
    )
    const left = copied.filter(
      (path) => !allowed.some((entry) => path === entry || path.startsWith(`${entry}/`)),
    )
    expect(left).toEqual([])
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
