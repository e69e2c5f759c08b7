import { setTimeout as delay } from 'node:timers/promises'
import { isPortFree } from '../free-port.ts'
import { UserError } from '../user-error.ts'

const VARIABLES = {
  web: ['WEB_PORT', 5173, 'the portal'],
  api: ['API_PORT', 3000, 'the API'],
  mailboxHttp: ['MAILBOX_HTTP_PORT', 8025, 'the mailbox'],
  mailboxSmtp: ['MAILBOX_SMTP_PORT', 2525, 'mail (SMTP)'],
  postgres: ['POSTGRES_PORT', 5433, 'PostgreSQL'],
  salesforce: ['SALESFORCE_PORT', 8071, "Salesforce's sandbox"],
  box: ['BOX_PORT', 8072, "Box's sandbox"],
} as const satisfies Record<string, readonly [variable: string, port: number, usedBy: string]>

type Name = keyof typeof VARIABLES
type DevPorts = Record<Name, number>

const MAX_PORT = 65_535
// The processes of a killed run end a moment after it.
const WAIT_MS = 3_000
const POLL_MS = 100

export function devPorts(env: NodeJS.ProcessEnv): DevPorts {
  const entries = Object.entries(VARIABLES).map(([name, [variable, defaultPort]]) => {
    const port = Number(env[variable] ?? defaultPort)
    if (!Number.isInteger(port) || port < 1 || port > MAX_PORT) {
      throw new UserError(`${variable} must be a port number from 1 to ${MAX_PORT}.`)
    }
    return [name, port]
  })
  return Object.fromEntries(entries) as DevPorts
}

export function portTaken(name: Name, port: number): UserError {
  const [variable, , usedBy] = VARIABLES[name]
  return new UserError(
    `Port ${port} for ${usedBy} is in use. ` +
      `Stop the program that uses it, or choose another port with ${variable}.`,
  )
}

/** Does not check PostgreSQL's port: `startPostgres` first stops a server that a killed run left there. */
export async function checkPortsFree(ports: DevPorts, waitMs = WAIT_MS): Promise<void> {
  for (const name of ['web', 'api', 'mailboxHttp', 'mailboxSmtp', 'salesforce', 'box'] as const) {
    for (let waited = 0; !(await isFree(name, ports[name])); waited += POLL_MS) {
      if (waited >= waitMs) throw portTaken(name, ports[name])
      await delay(POLL_MS)
    }
  }
}

async function isFree(name: Name, port: number): Promise<boolean> {
  // Vite listens on either address of `localhost`.
  const hosts = name === 'web' ? ['127.0.0.1', '::1'] : ['127.0.0.1']
  const free = await Promise.all(hosts.map((host) => isPortFree(port, host)))
  return free.every(Boolean)
}
