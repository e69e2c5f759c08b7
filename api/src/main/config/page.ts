import { variables } from './variables.ts'

/** Defaults that depend on the machine, the checkout or the process, in words. */
const DEFAULTS: Record<string, string> = {
  HASH_CONCURRENCY: 'number of cores',
  UPLOAD_DIR: 'a folder in the temporary directory',
  BRAND_DIR: '`brand`',
  CHECKER_SOCKETS: '**required** for APIs',
  WEB_DIR: '`web/dist`',
}

const REQUIRED_FOR_WORKERS = new Set([
  'SMTP_URL',
  'SALESFORCE_LOGIN_URL',
  'SALESFORCE_CLIENT_ID',
  'BOX_CLIENT_ID',
  'BOX_CLIENT_SECRET',
  'BOX_ENTERPRISE_ID',
])

function defaultOf(name: string, variable: (typeof variables)[keyof typeof variables]): string {
  if (DEFAULTS[name]) return DEFAULTS[name]
  if (REQUIRED_FOR_WORKERS.has(name)) return '**required** for workers'
  const result = variable.safeParse(undefined)
  if (!result.success) return '**required**'
  const text = typeof result.data === 'object' ? Object.values(result.data).join(',') : result.data
  return text === undefined || text === '' ? 'none' : `\`${text}\``
}

/** `docs/configuration.md` */
export function configurationPage(): string {
  const rows = Object.entries(variables).map(
    ([name, variable]) =>
      `| \`${name}\` | ${defaultOf(name, variable)} | ${variable.description} |`,
  )
  return [
    '# Configuration',
    '',
    'Every process reads its configuration from the environment, once, when it starts. If variables are missing or',
    'wrong, the process lists all of them and exits. `npm run admin -- configuration` prints this page.',
    '',
    'A file can replace any variable: `TOKEN_KEY_FILE=/run/secrets/token-key` reads the value of `TOKEN_KEY` from that',
    'file, without the line break at its end. This keeps secrets out of the environment. Do not set both.',
    '',
    'A key is 32 random bytes in base64, as `openssl rand -base64 32` prints them.',
    '',
    '| Variable | Default | Meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
