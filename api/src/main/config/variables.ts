import { isIP } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { resolve } from 'node:path'
import {
  UNFINISHED_GIGABYTES,
  UPLOAD_GIGABYTES_A_DAY,
  UPLOADS_A_DAY,
} from '@guidon/contract/limits'
import { z } from 'zod'
import { databaseVariables } from './database.ts'
import { count, orEmpty } from './types.ts'

export const root = resolve(import.meta.dirname, '../../../..')

const key = z
  .base64()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === 32, 'must be 32 bytes in base64 (openssl rand -base64 32)')

const entriesOf = (text: string) => text.split(',').map((entry) => entry.trim())

const list = z.string().transform((text) => entriesOf(text).filter(Boolean))

/** The first key is used for new data, all of them for existing data, so a key can be changed without downtime. */
const keys = z.string().transform(entriesOf).pipe(z.array(key).min(1))

const httpUrl = z.url({ protocol: /^https?$/ })

const origin = httpUrl.refine(
  (url) => new URL(url).origin === url,
  'must be an origin such as https://portal.example.org',
)

const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal'])

const inBits = (address: string) =>
  address
    .split('.')
    .map((byte) => Number(byte).toString(2).padStart(8, '0'))
    .join('')

/** An address, or a network such as 10.0.0.0/8 or 10.0.0.0/255.0.0.0, as Fastify accepts it. */
function isNetwork(entry: string): boolean {
  const [address = '', range, ...rest] = entry.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  if (range === undefined) return true
  if (version === 4 && isIP(range) === 4) return /^1+0*$/.test(inBits(range))
  return /^\d+$/.test(range) && Number(range) > 0 && Number(range) <= (version === 4 ? 32 : 128)
}

const network = z
  .string()
  .refine(
    (entry) => NAMED_NETWORKS.has(entry) || isNetwork(entry),
    'must be addresses or networks such as 10.0.0.0/8, separated by commas, or loopback',
  )

/** Without @, because the audit log shows it beside the emails of accounts. */
export const operatorName = z
  .string()
  .trim()
  .regex(/^[^\p{C}@]{1,100}$/u, 'must have 1 to 100 characters, without @ and control characters')

/** Mail allows 64 characters before the @, and the id and signature of a return path need 54. */
const BOUNCE_NAME_MAX = 10
const BOUNCE_NAME_TOO_LONG = `must have at most ${BOUNCE_NAME_MAX} characters before the @`

/** Every variable that the processes read. `docs/configuration.md` is generated from this table. */
export const variables = {
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('production')
    .describe(
      '`production`, `development` or `test`. `production` hides the API documentation page and requires https in PUBLIC_URL',
    ),
  ...databaseVariables,
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
  ALLOWED_ORIGINS: list
    .pipe(z.array(origin))
    .default([])
    .describe('Other origins whose pages may call the API, separated by commas'),
  TRUST_PROXY: list
    .pipe(z.array(network))
    .default(['loopback'])
    .describe(
      'Addresses or networks of the balancers whose X-Forwarded-For header is trusted, separated by commas',
    ),
  ADDRESS_LIMIT_FACTOR: count
    .default(1)
    .describe(
      'Multiplies every limit that counts by network address, and the number of emails to one email address. Leave it at 1, except in tests or if many people share one network address',
    ),
  TOKEN_KEY: keys.describe(
    'Keys for the hashes of codes and tokens, separated by commas. The first creates new hashes; all are accepted',
  ),
  PASSWORD_PEPPER: keys
    .optional()
    .describe(
      'Keys for the password hashes, separated by commas. The first creates new hashes; all are accepted. The API and admin commands need it',
    ),
  DATA_KEYS: keys.describe(
    'Keys for data that is encrypted at rest, separated by commas. The first encrypts; all decrypt',
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
    .optional()
    .describe(
      'URL of the mail relay, with user and password if it needs them; smtp:// to another machine requires STARTTLS',
    ),
  SMTP_PLAINTEXT: z
    .enum(['refuse', 'allow'])
    .default('refuse')
    .describe(
      '`allow` sends email unencrypted to a relay on another machine that offers no TLS; not possible with user and password',
    ),
  BOUNCE_ADDRESS: orEmpty(
    z.email().refine((address) => address.indexOf('@') <= BOUNCE_NAME_MAX, BOUNCE_NAME_TOO_LONG),
  ).describe(
    'Address of a mailbox for emails that come back, such as bounces@example.org. It must also receive bounces+anything@example.org',
  ),
  BOUNCE_URL: orEmpty(z.url({ protocol: /^pop3s?$/ })).describe(
    'How a worker reads that mailbox: pop3s://user:password@host:port, or pop3:// on the same machine. It must contain nothing else, because messages are deleted after reading',
  ),
  SALESFORCE_LOGIN_URL: httpUrl
    .optional()
    .describe("The org's own address, such as https://example.my.salesforce.com"),
  SALESFORCE_CLIENT_ID: z
    .string()
    .optional()
    .describe(
      'Consumer key of the External Client App. A worker also needs either its secret, or the two variables of the JWT bearer flow',
    ),
  SALESFORCE_CLIENT_SECRET: z
    .string()
    .optional()
    .describe('Consumer secret of the External Client App, for the client credentials flow'),
  SALESFORCE_USERNAME: z
    .string()
    .optional()
    .describe('User name of the integration user, for the JWT bearer flow'),
  SALESFORCE_PRIVATE_KEY_FILE: z
    .string()
    .optional()
    .describe('Path of a PEM file with the private key, for the JWT bearer flow'),
  SALESFORCE_MAPPING_FILE: z
    .string()
    .optional()
    .describe('JSON file for an org with other names of objects, fields or values'),
  BOX_CLIENT_ID: z.string().optional().describe('Client id of the Box application'),
  BOX_CLIENT_SECRET: z.string().optional().describe('Client secret of the Box application'),
  BOX_ENTERPRISE_ID: z.string().optional().describe('Enterprise id of the Box account'),
  BOX_ROOT_FOLDER_ID: z
    .string()
    .default('0')
    .describe(
      "Folder that contains the veterans' folders; 0 is the root folder of the service account",
    ),
  BOX_API_URL: httpUrl.optional().describe("Replaces Box's own API address"),
  BOX_UPLOAD_URL: httpUrl.optional().describe("Replaces Box's own upload address"),
  BOX_SHARE: count.default(2).describe("Number of workers, which share Box's limits"),
  BOX_VIEWERS: count
    .default(1)
    .describe(
      'Number of APIs with DOCUMENT_VIEWING=on. They share a fifth of the calls to Box, and workers the rest',
    ),
  CLAMD_ADDRESS: z
    .string()
    .default('/run/clamav/clamd.ctl')
    .describe(
      'Malware scanner: the path of its socket, or host:port. While it does not respond, uploads are refused',
    ),
  CHECKER_SOCKETS: list
    .default([])
    .describe(
      'Paths of the sockets of the file checkers, separated by commas. An API needs at least one. While none responds, uploads are refused',
    ),
  UPLOAD_DIR: z
    .string()
    .default(resolve(tmpdir(), 'guidon-uploads'))
    .describe('Folder in which the API receives uploads'),
  UPLOADS_A_DAY: count
    .default(UPLOADS_A_DAY)
    .describe('Files that one account may upload in 24 hours'),
  UPLOAD_GIGABYTES_A_DAY: count
    .default(UPLOAD_GIGABYTES_A_DAY)
    .describe('Gigabytes that one account may upload in 24 hours'),
  UNFINISHED_GIGABYTES: z.coerce
    .number()
    .positive()
    .default(UNFINISHED_GIGABYTES)
    .describe(
      'Gigabytes in the database that unfinished uploads of all accounts may need. While they do, no large file can be started',
    ),
  DOCUMENT_VIEWING: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      '`on` lets veterans and staff view and download files. An API then needs the variables of Box, too. Set it for workers as well, which then leave calls to Box for the APIs',
    ),
  CRM_POLL_SECONDS: count
    .default(10)
    .describe('Seconds between two polls of the CRM; each poll takes one call'),
  CRM_SEND_SECONDS: z.coerce
    .number()
    .positive()
    .default(5)
    .describe(
      'Shortest time between two calls that send changes to the CRM, of all workers together; changes are collected meanwhile',
    ),
  CRM_CHECK_SECONDS: count
    .default(60)
    .describe(
      'Seconds between two checks of the fields of the CRM while it lacks one or is unreachable; then nothing is read or sent',
    ),
  CRM_SIGN_UP_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(5)
    .default(3)
    .describe(
      'Longest time that a verified sign-up waits while the CRM is asked for a contact that was not read yet; with 0 the CRM is not asked',
    ),
  BRAND_DIR: z
    .string()
    .default(resolve(root, 'brand'))
    .describe('Folder with brand.json, logo.svg, logo-dark.svg, icon.svg and legal texts'),
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
  BACKUP_METRICS_PATH: z
    .string()
    .optional()
    .describe(
      'File that deploy/postgres/backup writes. A worker reports it, and the WAL archive, as metrics; without it, neither',
    ),
  METRICS_HOST: z
    .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
    .default('0.0.0.0')
    .describe(
      'Address that the metrics port listens on, or a network, such as 10.0.0.0/24: then the own address in it',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe('Collector for traces (OTLP over HTTP); without it, there are none'),
  OTEL_EXPORTER_OTLP_HEADERS: list
    .transform((entries): Record<string, string> =>
      Object.fromEntries(
        entries
          .map((entry) => entry.split('='))
          .filter(([name]) => name)
          .map(([name = '', ...value]) => [name, value.join('=')]),
      ),
    )
    .default({})
    .describe('Headers for the collector: name=value, separated by commas'),
  OPERATOR: orEmpty(operatorName).describe(
    'Your name, which the audit log records with each admin command that changes data; `--operator` replaces it',
  ),
  LOG_LEVEL: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug'])
    .default('info')
    .describe(
      'Lowest level that is logged: `silent`, `fatal`, `error`, `warn`, `info` or `debug`. With `debug`, failed starts and commands also print a stack trace',
    ),
} as const
