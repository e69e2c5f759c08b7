import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { IDeployment } from 'kubernetes-models/apps/v1'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Job } from 'kubernetes-models/batch/v1'
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import type { IConfigMap, IPodSpec, IService } from 'kubernetes-models/v1'
import { ConfigMap, Namespace, Service } from 'kubernetes-models/v1'
import { afterAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const TOOL_MISSING = 69
const root = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
// Here, because the files that are made for `tsc` import packages.
const folder = mkdtempSync(join(root, 'node_modules/.kubernetes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Resource {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
}
const SCHEMAS = {
  ConfigMap,
  Deployment,
  Ingress,
  Job,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
}

/** Renders an overlay as `kubectl apply -k` does. Undefined on a machine that cannot have the tool. */
function render(overlay: string): Resource[] | undefined {
  const path = join(root, 'deploy/kubernetes', overlay)
  const { status, stdout, stderr } = spawnSync(join(root, '.ci/kustomize'), [path], {
    encoding: 'utf8',
  })
  if (status === TOOL_MISSING) console.warn(stderr)
  if (status === TOOL_MISSING) return undefined
  if (status !== 0) throw new Error(stderr)
  return parseAllDocuments(stdout).map((document) => document.toJS() as Resource)
}

interface Compose {
  services: Record<string, { environment: Record<string, string | null>; secrets: string[] }>
}
const compose = parse(read('deploy/compose.yaml'), { merge: true }) as Compose
const viewing = parse(read('deploy/viewing.yaml')) as Compose
const documented = new Set(
  [...read('docs/configuration.md').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name),
)
/** Read by Node itself; deploy/entrypoint sets a default. */
documented.add('UV_THREADPOOL_SIZE')

const overlays = readdirSync(join(root, 'deploy/kubernetes/overlays')).map((overlay) => ({
  overlay,
  resources: render(`overlays/${overlay}`) ?? [],
}))
const isRendered = overlays.every(({ resources }) => resources.length > 0)

describe.runIf(isRendered)('the secrets in docs/operate/kubernetes.md', () => {
  it('are those that pods mount', () => {
    const page = read('docs/operate/kubernetes.md')
    const stored = [...page.matchAll(/--from-file=([a-z-]+)(?=[ \n])/g)].map(([, name]) => name)
    const mounted = overlays.flatMap(({ resources }) =>
      [...JSON.stringify(resources).matchAll(/{"key":"([a-z-]+)","path":"\1"}/g)].map(
        ([, key]) => key,
      ),
    )
    expect(new Set(stored)).toEqual(new Set(mounted))
  })
})

describe.runIf(isRendered)('the Kubernetes overlays', { timeout: 120_000 }, () => {
  it('have only fields that the API has', () => {
    // The schemas accept unknown fields. The types do not.
    const typed = (resources: Resource[]) =>
      resources
        .map(({ kind, ...resource }) => {
          const type = `import('kubernetes-models/${resource.apiVersion}').I${kind}`
          return `(${JSON.stringify({ kind, ...resource })}) satisfies ${type}`
        })
        .join('\n;')
    const write = (name: string, text: string) => {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    }
    const files = overlays.map(({ overlay, resources }) => write(`${overlay}.ts`, typed(resources)))
    // Shows that the check finds a mistake.
    const [first] = overlays
    const mistyped = typed(first!.resources).replace('"readOnlyRootFilesystem"', '"readOnlyRoot"')
    const options =
      '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --pretty false'
    const { stdout } = spawnSync(
      'npx',
      ['tsc', ...options.split(' '), ...files, write('mistyped.ts', mistyped)],
      { cwd: root, encoding: 'utf8' },
    )
    const found = stdout.split('\n').filter((line) => /^\S.*: error /.test(line))
    expect(found).toEqual([
      expect.stringMatching(/mistyped\.ts\(.*'"readOnlyRoot"' does not exist/),
    ])
  })
})

describe.runIf(isRendered).each(overlays)(
  'the Kubernetes overlay $overlay',
  ({ overlay, resources }) => {
    const ofKind = <T>(kind: keyof typeof SCHEMAS) =>
      resources.filter((resource) => resource.kind === kind) as unknown as T[]
    const workloads = resources
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .map((resource) => {
        const { template } = (resource as unknown as IDeployment).spec!
        return {
          name: resource.metadata.name,
          labels: template.metadata!.labels!,
          pod: template.spec as IPodSpec,
        }
      })
    const ours = workloads.filter(({ name }) => name !== 'scanner')
    const settings = ofKind<IConfigMap>('ConfigMap')[0]!.data!
    const variablesOf = ({ containers: [container] }: IPodSpec) =>
      Object.fromEntries((container!.env ?? []).map(({ name, value = '' }) => [name, value]))
    const filesOf = (pod: IPodSpec) =>
      Object.fromEntries(
        Object.entries(variablesOf(pod)).filter(([name]) => name.endsWith('_FILE')),
      )
    const secretsOf = ({ volumes }: IPodSpec) =>
      volumes!.flatMap(({ secret }) => secret?.items?.map(({ path }) => path) ?? [])
    const composeServiceOf = (name: string) => {
      const service = { api: 'api-1', worker: 'worker-1' }[name] ?? name
      const added = overlay === 'viewing' ? viewing.services[service] : undefined
      const { environment, secrets } = compose.services[service]!
      return {
        // Compose passes a variable without a value only if deploy/.env sets it.
        files: Object.entries({ ...environment, ...added?.environment }).filter(
          ([variable, value]) => variable.endsWith('_FILE') && value !== null,
        ),
        secrets: [...new Set([...secrets, ...(added?.secrets ?? [])])],
      }
    }

    it('has only values that the API schemas allow', () => {
      expect(resources.length).toBeGreaterThan(15)
      for (const resource of resources) {
        const Schema = SCHEMAS[resource.kind as keyof typeof SCHEMAS]
        expect(Schema.apiVersion).toBe(resource.apiVersion)
        new (Schema as new (data: object) => { validate(): void })(resource).validate()
      }
    })

    it('passes the same secrets to each process as the compose file, and only as files', () => {
      expect(ours.map(({ name }) => name).toSorted()).toEqual(['admin', 'api', 'migrate', 'worker'])
      for (const { name, pod } of ours) {
        const { files, secrets } = composeServiceOf(name)
        expect({ name, files: filesOf(pod) }).toEqual({
          name,
          files: Object.fromEntries(files),
        })
        expect(secretsOf(pod).toSorted()).toEqual(secrets.toSorted())
        const mount = pod.containers[0]!.volumeMounts!.find(({ name: of }) => of === 'secrets')
        expect(mount).toEqual({ name: 'secrets', mountPath: '/run/secrets', readOnly: true })
      }
      expect(Object.keys(settings).filter((name) => !documented.has(name))).toEqual([])
      const secret = /KEY|PEPPER|SECRET|PASSWORD|DATABASE.*URL|SMTP_URL|BOUNCE_URL/
      expect(Object.keys(settings).filter((name) => secret.test(name))).toEqual([])
    })

    it('gives each process a configuration that it accepts', () => {
      const secrets = join(folder, `${overlay}-secrets`)
      mkdirSync(secrets)
      const key = Buffer.alloc(32, 1).toString('base64')
      const VALUES: Record<string, string> = {
        'database-url': 'postgres://guidon_web:x@database.example.org:5432/guidon',
        'database-owner-url': 'postgres://guidon_owner:x@database.example.org:5432/guidon',
        'smtp-url': 'smtps://user:x@relay.example.org',
        'bounce-url': '',
      }
      const environments = ours.map(({ pod }) => {
        for (const name of secretsOf(pod)) writeFileSync(join(secrets, name), VALUES[name] ?? key)
        const files = Object.entries(variablesOf(pod)).map(([variable, path]) => [
          variable,
          path.replace('/run/secrets', secrets),
        ])
        return { ...settings, ...Object.fromEntries(files) } as Record<string, string>
      })
      const script = `import { parseConfig } from './api/src/main/config/config.ts'
      for (const environment of ${JSON.stringify(environments)}) parseConfig(environment)`
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--input-type=module', '-e', script],
        {
          cwd: root,
          encoding: 'utf8',
        },
      )
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    })

    it('runs every process of ours as a user without privileges, on a read-only file system', () => {
      for (const { name, pod } of ours) {
        expect({ name, pod }).toMatchObject({
          name,
          pod: {
            automountServiceAccountToken: false,
            securityContext: {
              runAsNonRoot: true,
              runAsUser: 10_001,
              seccompProfile: { type: 'RuntimeDefault' },
            },
            containers: pod.containers.map(() => ({
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              resources: { requests: { memory: expect.any(String) as string } },
            })),
          },
        })
        expect(pod.volumes).toContainEqual({
          name: 'tmp',
          emptyDir: { medium: 'Memory', sizeLimit: expect.any(String) as string },
        })
      }
    })

    it('starts a checker beside each API, with a user of its own and nothing but the folder of the socket', () => {
      const { pod } = ours.find(({ name }) => name === 'api')!
      const [api, checker, ...others] = pod.containers
      expect(others).toEqual([])
      const { env, envFrom, volumeMounts, securityContext, args } = checker!
      expect({ env, envFrom, volumeMounts, args }).toEqual({
        env: undefined,
        envFrom: undefined,
        volumeMounts: [
          { name: 'checker-tmp', mountPath: '/tmp' },
          { name: 'checker', mountPath: '/run/checker' },
        ],
        args: ['checker', api!.env!.find(({ name }) => name === 'CHECKER_SOCKETS')!.value],
      })
      expect(securityContext).toMatchObject({ runAsUser: 10_002, runAsGroup: 10_002 })
      expect(checker!.image).toBe(api!.image)
    })

    it('selects existing pods and named ports in services, policies and budgets', () => {
      const portsOf = (selector: Record<string, string> = {}) => {
        const selected = workloads.filter(({ labels }) =>
          Object.entries(selector).every(([label, value]) => labels[label] === value),
        )
        expect(selected.length).toBeGreaterThan(0)
        return selected.flatMap(
          ({ pod }) => pod.containers[0]!.ports?.map((port) => port.name) ?? [],
        )
      }
      for (const { spec } of ofKind<IService>('Service')) {
        for (const { targetPort } of spec!.ports!)
          expect(portsOf(spec!.selector)).toContain(targetPort)
      }
      for (const { spec } of ofKind<INetworkPolicy>('NetworkPolicy')) {
        for (const { ports } of spec!.ingress ?? []) {
          for (const { port } of ports!) {
            expect(portsOf(spec!.podSelector!.matchLabels)).toContain(port)
          }
        }
      }
      const budgets = ofKind<{ spec: { selector: { matchLabels: Record<string, string> } } }>(
        'PodDisruptionBudget',
      )
      expect(budgets.map(({ spec }) => spec.selector.matchLabels)).toEqual([
        { 'app.kubernetes.io/component': 'api' },
        { 'app.kubernetes.io/component': 'worker' },
      ])
      for (const { spec } of budgets) portsOf(spec.selector.matchLabels)
    })

    it('denies every connection by default, and lets only workers and the scanner out', () => {
      const policies = ofKind<INetworkPolicy>('NetworkPolicy')
      const denyAll = policies.find(({ metadata }) => metadata!.name === 'deny-all')!
      expect(denyAll.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
      const toInternet = policies.filter(({ spec }) =>
        spec!.egress?.some(({ to }) => to?.some(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0')),
      )
      const components = toInternet.map(
        ({ spec }) => spec!.podSelector!.matchLabels!['app.kubernetes.io/component'],
      )
      expect(new Set(components)).toEqual(
        new Set(['scanner', 'worker', ...(overlay === 'viewing' ? ['api'] : [])]),
      )
    })

    it('checks the API by /readyz and /healthz, and the worker by its health command', () => {
      const containerOf = (name: string) =>
        workloads.find((workload) => workload.name === name)!.pod.containers[0]!
      expect(containerOf('api').readinessProbe!.httpGet!.path).toBe('/readyz')
      expect(containerOf('api').livenessProbe!.httpGet!.path).toBe('/healthz')
      expect(containerOf('worker').livenessProbe!.exec!.command).toEqual(
        (
          compose.services['worker-1'] as unknown as { healthcheck: { test: string[] } }
        ).healthcheck.test.slice(1),
      )
    })
  },
)
