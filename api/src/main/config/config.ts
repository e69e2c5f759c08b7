import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '../../platform/operator-error.ts'
import { readValueFiles } from '../../platform/value-files.ts'
import type { Environment } from '../../platform/value-files.ts'
import { root, variables } from './variables.ts'

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
  const mailbox = config.BOUNCE_URL && new URL(config.BOUNCE_URL)
  if (mailbox && mailbox.protocol === 'pop3:' && !LOOPBACK.has(mailbox.hostname.toLowerCase())) {
    issues.addIssue({
      code: 'custom',
      path: ['BOUNCE_URL'],
      message: 'must be pop3s for another machine, because it contains a password',
    })
  }
  const relay = config.SMTP_URL && new URL(config.SMTP_URL)
  if (config.SMTP_PLAINTEXT === 'allow' && relay && relay.username && isPlaintext(relay)) {
    issues.addIssue({
      code: 'custom',
      path: ['SMTP_PLAINTEXT'],
      message: 'must not be allow for an SMTP_URL with user and password',
    })
  }
})

export type Config = z.output<typeof schema>

/** Whether email would leave this machine unencrypted unless STARTTLS is required. */
export function isPlaintext(relay: URL): boolean {
  return relay.protocol === 'smtp:' && !LOOPBACK.has(relay.hostname.toLowerCase())
}

/** Its message never contains a value, because some are secrets. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError'
}

/** The valid variables, and what is wrong with the others. */
export function readConfig(environment: Environment): {
  config: Partial<Config>
  problems: Map<string, string>
} {
  const { values, problems } = readValueFiles(Object.keys(variables), environment)
  const parsed = schema.safeParse(values)
  if (parsed.success && problems.size === 0) return { config: parsed.data, problems }
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0])
    if (problems.has(name)) continue
    problems.set(name, values[name] === undefined ? 'is missing' : message)
  }
  const valid = Object.entries(variables).filter(([name]) => !problems.has(name))
  const config = valid.map(([name, type]) => [name, type.parse(values[name])])
  return { config: Object.fromEntries(config) as Partial<Config>, problems }
}

export function parseConfig(environment: Environment): Config {
  const { config, problems } = readConfig(environment)
  if (problems.size === 0) return config as Config
  const lines = [...problems].map(([name, problem]) => {
    const purpose = variables[name as keyof typeof variables].description
    return `  ${name}: ${problem} (${purpose})`
  })
  throw new ConfigError(`The configuration is not complete:\n${lines.join('\n')}`)
}

/** Written by `npm run dev`, so that admin commands use the same database. */
export const DEVELOPMENT_ENV_FILE = '.data/dev.env'

/** The only place that reads the process environment and the .env files. */
export function loadEnvironment(...files: string[]): Environment {
  for (const file of ['.env', ...files].map((name) => resolve(root, name))) {
    if (existsSync(file)) process.loadEnvFile(file)
  }
  return process.env
}

export const loadConfig = (...files: string[]): Config => parseConfig(loadEnvironment(...files))

/** Whether failures are printed with their stack trace. */
export const showsStackTraces = (): boolean => process.env['LOG_LEVEL'] === 'debug'

/** npm changes to the workspace folder; paths are relative to the folder where the operator typed them. */
export const startFolder = (): string => process.env['INIT_CWD'] ?? process.cwd()
