import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { readValueFiles } from '../platform/value-files.ts'
import type { Environment } from '../platform/value-files.ts'
import { root, variables } from './config-variables.ts'

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
  if (Boolean(config.BOUNCE_ADDRESS) !== Boolean(config.BOUNCE_URL)) {
    issues.addIssue({
      code: 'custom',
      path: [config.BOUNCE_URL ? 'BOUNCE_ADDRESS' : 'BOUNCE_URL'],
      message: 'is needed, because the other variable of the mailbox for bounces is set',
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

/** Whether a connection to the relay is unencrypted unless STARTTLS is required. */
export function isPlaintext(relay: URL): boolean {
  return relay.protocol === 'smtp:' && !LOOPBACK.has(relay.hostname.toLowerCase())
}

/** Its message never contains a value, because some are secrets. */
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

/** Written by `npm run dev`, so that admin commands use the same database. */
export const DEVELOPMENT_ENV_FILE = '.data/dev.env'

/** The only place that reads the process environment and the .env files. */
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

/** npm changes to the workspace folder; paths are relative to the folder where the operator typed them. */
export const startFolder = (): string => process.env['INIT_CWD'] ?? process.cwd()
