import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { UPLOAD_GIGABYTES_A_DAY, UPLOADS_A_DAY } from '@guidon/contract/limits'
import { z } from 'zod'
import { readValueFiles } from '../platform/value-files.ts'
import type { Environment } from '../platform/value-files.ts'

const root = resolve(import.meta.dirname, '../../..')

const key = z
  .base64()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === 32, 'must be 32 bytes in base64 (openssl rand -base64 32)')

/** The first is used for what is new, all of them for what is there: so a key is changed while people work. */
const keys = z
  .string()
  .transform((list) => list.split(',').map((entry) => entry.trim()))
  .pipe(z.array(key).min(1))

const origin = z
  .url({ protocol: /^https?$/ })
  .refine(
    (url) => new URL(url).origin === url,
    'must be an origin such as https://portal.example.org',
  )

const count = z.coerce.number().int().positive()

/** Every variable the processes read. `docs/configuration.md` is made from this table. */
export const variables = {
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('production')
    .describe('`production` hides the API documentation page and requires https'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).describe('PostgreSQL 18 database'),
  DATABASE_OWNER_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe(
      'URL of the same database with the login of its owner, for migrations; DATABASE_URL then needs only the role guidon_app',
    ),
  DATABASE_POOL: count
    .default(10)
    .describe(
      'Size of the connection pool of a process; an API opens up to three more connections for listings',
    ),
  HOST: z.string().default('0.0.0.0').describe('Address that the API listens on'),
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(3000)
    .describe('Port that the API listens on'),
  DRAIN_SECONDS: z.coerce
    .number()
    .int()
    .nonnegative()
    .default(10)
    .describe(
      'After SIGTERM, the API responds 503 at /readyz and keeps serving for this time; must be longer than the balancer needs to notice',
    ),
  PUBLIC_URL: origin.describe('Origin of the portal in the browser; links in emails use it'),
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .pipe(z.array(origin))
    .describe('Other origins whose pages may call the API, separated by commas'),
  TRUST_PROXY: z
    .string()
    .default('loopback')
    .transform((list) =>
      list
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .describe(
      'Addresses or networks of the balancers whose X-Forwarded-For header is trusted, separated by commas',
    ),
  ADDRESS_LIMIT_FACTOR: count
    .default(1)
    .describe(
      'Multiplies the limits for each network address, and the limits of emails for each email address; above 1 only for tests, or if many people share one network address',
    ),
  TOKEN_KEY: keys.describe(
    'Keys for the hashes of codes and tokens, separated by commas: the first creates new hashes, all are accepted',
  ),
  PASSWORD_PEPPER: keys.describe(
    'Keys for the password hashes, separated by commas: the first creates new hashes, all are accepted',
  ),
  DATA_KEYS: keys.describe(
    'Keys for data that is encrypted at rest, separated by commas: the first encrypts, all decrypt',
  ),
  HASH_CONCURRENCY: count
    .default(availableParallelism())
    .describe(
      'Password hashes that run at the same time; UV_THREADPOOL_SIZE must be at least as high',
    ),
  HASH_QUEUE: count
    .default(200)
    .describe('Sign-ins that may wait for a password hash; further ones get 503'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .describe(
      'URL of the mail relay, with user and password if it needs them; smtp:// to another machine requires STARTTLS',
    ),
  SMTP_PLAINTEXT: z
    .enum(['refuse', 'allow'])
    .default('refuse')
    .describe(
      '`allow` sends email unencrypted to a relay on another machine that offers no TLS; not possible with user and password',
    ),
  SALESFORCE_LOGIN_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "The org's own address, such as https://example.my.salesforce.com; required for workers",
    ),
  SALESFORCE_CLIENT_ID: z.string().optional().describe('Consumer key of the External Client App'),
  SALESFORCE_CLIENT_SECRET: z
    .string()
    .optional()
    .describe('Consumer secret of that app, for the client credentials flow'),
  SALESFORCE_USERNAME: z
    .string()
    .optional()
    .describe('The integration user, for the JWT bearer flow in place of the secret'),
  SALESFORCE_PRIVATE_KEY_FILE: z
    .string()
    .optional()
    .describe('PEM file of the private key for the JWT bearer flow'),
  SALESFORCE_MAPPING_FILE: z
    .string()
    .optional()
    .describe('JSON file for an org with other names of objects, fields or values'),
  BOX_CLIENT_ID: z
    .string()
    .optional()
    .describe('Client id of the Box application; required for workers'),
  BOX_CLIENT_SECRET: z
    .string()
    .optional()
    .describe('Client secret of the Box application; required for workers'),
  BOX_ENTERPRISE_ID: z.string().optional().describe('Box enterprise id; required for workers'),
  BOX_ROOT_FOLDER_ID: z
    .string()
    .default('0')
    .describe(
      "Folder that contains the veterans' folders; 0 is the root folder of the service account",
    ),
  BOX_API_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Replaces Box's own API address"),
  BOX_UPLOAD_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Replaces Box's own upload address"),
  BOX_SHARE: count.default(2).describe("Number of workers that share Box's limits"),
  CLAMD_ADDRESS: z
    .string()
    .default('/run/clamav/clamd.ctl')
    .describe(
      'Malware scanner, as the path of its socket or host:port; without it, uploads are refused',
    ),
  UPLOAD_DIR: z
    .string()
    .default(resolve(tmpdir(), 'guidon-uploads'))
    .describe('Folder in which the API receives and checks uploads'),
  UPLOADS_A_DAY: count
    .default(UPLOADS_A_DAY)
    .describe('Files that one account may upload in 24 hours'),
  UPLOAD_GIGABYTES_A_DAY: count
    .default(UPLOAD_GIGABYTES_A_DAY)
    .describe('Gigabytes that one account may upload in 24 hours'),
  CRM_POLL_SECONDS: count
    .default(50)
    .describe('Seconds between two polls of the CRM; each poll takes five calls'),
  BRAND_DIR: z
    .string()
    .default(resolve(root, 'brand'))
    .describe('Folder with brand.json, logo.svg, logo-dark.svg and icon.svg'),
  WEB_DIR: z
    .string()
    .default(resolve(root, 'web/dist'))
    .describe('Folder of the built web app that the API serves; empty if another server does'),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65535)
    .optional()
    .describe('Port for the metrics of a process; without it, there are none'),
  METRICS_HOST: z.string().default('0.0.0.0').describe('Address that the metrics port listens on'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Collector for traces (OTLP over HTTP); without it, there are none'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .default('')
    .transform((list) =>
      Object.fromEntries(
        list
          .split(',')
          .map((entry) => entry.trim().split('='))
          .filter(([name]) => name)
          .map(([name = '', ...value]) => [name, value.join('=')]),
      ),
    )
    .describe('Headers for the collector: name=value, separated by commas'),
  LOG_LEVEL: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug'])
    .default('info')
    .describe('Lowest level of log lines that are written'),
} as const

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

const schema = z.object(variables).superRefine((config, issues) => {
  const url = new URL(config.PUBLIC_URL)
  if (
    config.NODE_ENV === 'production' &&
    url.protocol !== 'https:' &&
    !LOOPBACK.has(url.hostname)
  ) {
    issues.addIssue({
      code: 'custom',
      path: ['PUBLIC_URL'],
      message: 'must be https in production',
    })
  }
  const relay = new URL(config.SMTP_URL)
  if (config.SMTP_PLAINTEXT === 'allow' && relay.username && isPlaintext(relay)) {
    issues.addIssue({
      code: 'custom',
      path: ['SMTP_PLAINTEXT'],
      message: 'must not be allow for an SMTP_URL with user and password',
    })
  }
})

export type Config = z.output<typeof schema>

/** Whether what is sent there could be read on the way, unless the relay is asked for STARTTLS. */
function isPlaintext(relay: URL): boolean {
  return relay.protocol === 'smtp:' && !LOOPBACK.has(relay.hostname.toLowerCase())
}

/** The relay, and whether nothing may be sent to it without TLS. */
export function smtpAccess(config: Config) {
  const { SMTP_URL: url, SMTP_PLAINTEXT: plaintext } = config
  return { url, requireTls: plaintext === 'refuse' && isPlaintext(new URL(url)) }
}

/** How the worker signs in to Salesforce. The API and the command line tool never do, so they need none of it. */
export function salesforceAccess(config: Config) {
  const { SALESFORCE_LOGIN_URL: loginUrl, SALESFORCE_CLIENT_ID: clientId } = config
  const { SALESFORCE_CLIENT_SECRET: clientSecret, SALESFORCE_USERNAME: username } = config
  const keyFile = config.SALESFORCE_PRIVATE_KEY_FILE
  const needed = (what: string) =>
    new ConfigError(`The worker needs ${what} to reach Salesforce; see docs/configuration.md`)
  if (!loginUrl || !clientId) throw needed('SALESFORCE_LOGIN_URL and SALESFORCE_CLIENT_ID')
  if (clientSecret) {
    return { loginUrl, clientId, auth: { kind: 'client-credentials', clientSecret } as const }
  }
  if (!username || !keyFile) {
    throw needed(
      'SALESFORCE_CLIENT_SECRET, or SALESFORCE_USERNAME and SALESFORCE_PRIVATE_KEY_FILE,',
    )
  }
  const privateKey = readFileSync(keyFile, 'utf8')
  return { loginUrl, clientId, auth: { kind: 'jwt', username, privateKey } as const }
}

/** Where figures and traces of a process go, if anywhere. */
export function telemetryAddresses(config: Config) {
  const { METRICS_HOST: host, METRICS_PORT: port } = config
  const { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: headers } = config
  return {
    metrics: port === undefined ? undefined : { host, port },
    collector: url === undefined ? undefined : { url, headers },
  }
}

/** How the worker signs in to Box. */
export function boxAccess(config: Config) {
  const { BOX_CLIENT_ID: clientId, BOX_CLIENT_SECRET: clientSecret } = config
  const { BOX_ENTERPRISE_ID: enterpriseId, BOX_API_URL: apiUrl, BOX_UPLOAD_URL: uploadUrl } = config
  if (!clientId || !clientSecret || !enterpriseId) {
    throw new ConfigError(
      'The worker needs BOX_CLIENT_ID, BOX_CLIENT_SECRET and BOX_ENTERPRISE_ID to reach Box; see docs/configuration.md',
    )
  }
  return {
    clientId,
    clientSecret,
    enterpriseId,
    rootFolderId: config.BOX_ROOT_FOLDER_ID,
    ...(apiUrl && { apiUrl }),
    ...(uploadUrl && { uploadUrl }),
  }
}

/** Never shows a value: some of them are secrets. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export function parseConfig(environment: Environment): Config {
  const { values, problems } = readValueFiles(Object.keys(variables), environment)
  const parsed = schema.safeParse(values)
  if (parsed.success && problems.size === 0) return parsed.data
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0])
    if (problems.has(name)) continue
    problems.set(name, values[name] === undefined ? 'is missing' : message)
  }
  const lines = [...problems].map(([name, problem]) => {
    const purpose = variables[name as keyof typeof variables].description
    return `  ${name}: ${problem} (${purpose})`
  })
  throw new ConfigError(`The configuration is not complete:\n${lines.join('\n')}`)
}

/** The running development product, for the command line tool to join. */
export const DEVELOPMENT = '.data/dev.env'

/** The one place that reads the process environment, and the files that may add to it. */
export function configOrExit(...files: string[]): Config {
  for (const file of ['.env', ...files].map((name) => resolve(root, name))) {
    if (existsSync(file)) process.loadEnvFile(file)
  }
  try {
    return parseConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** npm runs a command in its workspace; the name of a file is meant where it was typed. */
export const calledFrom = (): string => process.env['INIT_CWD'] ?? process.cwd()

/** The text of `docs/configuration.md`; `npm run admin -- configuration` prints it. */
export function configurationPage(): string {
  const rows = Object.entries(variables).map(([name, variable]) => {
    const fallback = variable.safeParse(undefined)
    const needed = fallback.success ? 'optional' : 'required'
    return `| \`${name}\` | ${needed} | ${variable.description} |`
  })
  return [
    '# Configuration',
    '',
    'Every process reads its configuration from the environment, once, when it starts. If variables are missing or',
    'wrong, the process lists all of them and exits. `npm run admin -- configuration` prints this page.',
    '',
    'A file can replace any variable: `TOKEN_KEY_FILE=/run/secrets/token-key` reads the value from that file, without',
    'the line break at its end. This keeps secrets out of the environment. Do not set both.',
    '',
    '| Variable |  | Meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
