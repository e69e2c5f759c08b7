import { setTimeout as delay } from 'node:timers/promises'
import { isPortFree } from '../free-port.ts'
import { PlainProblem } from '../plain-problem.ts'

const VARIABLES = {
  web: ['WEB_PORT', 5173, 'the portal'],
  api: ['API_PORT', 3000, 'the API'],
  mailboxHttp: ['MAILBOX_HTTP_PORT', 8025, 'the mailbox'],
  mailboxSmtp: ['MAILBOX_SMTP_PORT', 2525, 'mail (SMTP)'],
  postgres: ['POSTGRES_PORT', 5433, 'PostgreSQL'],
  salesforce: ['SALESFORCE_PORT', 8071, "Salesforce's sandbox"],
  box: ['BOX_PORT', 8072, "Box's sandbox"],
} as const satisfies Record<string, readonly [variable: string, port: number, user: string]>

type Name = keyof typeof VARIABLES
export type DevPorts = Record<Name, number>

const HIGHEST_PORT = 65_535
// What a killed run left behind is on its way out.
const LEFTOVERS_MS = 3_000
const LOOK_AGAIN_MS = 100

export function devPorts(env: NodeJS.ProcessEnv): DevPorts {
  const entries = Object.entries(VARIABLES).map(([name, [variable, usual]]) => {
    const port = Number(env[variable] ?? usual)
    if (!Number.isInteger(port) || port < 1 || port > HIGHEST_PORT) {
      throw new PlainProblem(`${variable} must be a port number from 1 to ${HIGHEST_PORT}.`)
    }
    return [name, port]
  })
  return Object.fromEntries(entries) as DevPorts
}

export function portTaken(name: Name, port: number): PlainProblem {
  const [variable, , user] = VARIABLES[name]
  return new PlainProblem(
    `Port ${port}, wanted for ${user}, is taken. ` +
      `Stop the program that uses it, or choose another port with ${variable}.`,
  )
}

/** PostgreSQL's own port is left out: a cluster that outlived its run is stopped first. */
export async function claimPorts(ports: DevPorts): Promise<void> {
  for (const name of ['web', 'api', 'mailboxHttp', 'mailboxSmtp', 'salesforce', 'box'] as const) {
    for (let waited = 0; !(await isFree(name, ports[name])); waited += LOOK_AGAIN_MS) {
      if (waited >= LEFTOVERS_MS) throw portTaken(name, ports[name])
      await delay(LOOK_AGAIN_MS)
    }
  }
}

async function isFree(name: Name, port: number): Promise<boolean> {
  // Vite listens on whatever `localhost` means here.
  const hosts = name === 'web' ? ['127.0.0.1', '::1'] : ['127.0.0.1']
  const free = await Promise.all(hosts.map((host) => isPortFree(port, host)))
  return free.every(Boolean)
}
