import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'

export interface Service {
  image?: string
  entrypoint?: string[]
  command?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  profiles?: string[]
  depends_on?: string[] | Record<string, unknown>
  /** Names a service that must come earlier in the files. */
  extends?: { service: string }
}
type Services = Record<string, Service>

/** The files and settings that a command names. */
export interface ComposeOptions {
  files: string[]
  envFile: string | undefined
  profiles: string[]
}

/** The services of the compose files, with all variables replaced. */
export function readServices(repository: string, options: ComposeOptions): Services {
  const path = join(repository, options.envFile ?? 'deploy/.env')
  const settings = existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {}
  const services: Services = {}
  for (const file of options.files) {
    const parsed = parse(readFileSync(join(repository, file), 'utf8'), { merge: true }) as {
      services: Services
    }
    const filledIn = JSON.parse(JSON.stringify(parsed.services), (_, value: unknown) =>
      typeof value === 'string' ? interpolate(value, settings) : value,
    ) as Services
    for (const [name, service] of Object.entries(filledIn)) {
      const before = services[service.extends?.service ?? name]
      const environment = Object.entries({ ...before?.environment, ...service.environment })
        // A variable without a value takes it from the settings.
        .map(([variable, value]) => [variable, value ?? settings[variable]])
        .filter(([, value]) => value !== undefined)
      services[name] = {
        ...before,
        ...service,
        environment: Object.fromEntries(environment) as Record<string, string>,
      }
    }
  }
  return services
}

/** `${NAME:-default}`, `${NAME:?}` and `$$` as in compose. */
function interpolate(text: string, settings: NodeJS.Dict<string>): string {
  const replaced = text.replaceAll(
    /\$\{(\w+)(?:(:[-?])([^}]*))?\}/g,
    (_, name: string, operator: string | undefined, rest: string | undefined) => {
      const value = settings[name]
      if (value) return value
      if (operator === ':?') throw new Error(`required variable ${name} is missing a value`)
      return rest ?? ''
    },
  )
  return replaced.replaceAll('$$', '$')
}
