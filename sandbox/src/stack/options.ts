import type { Account } from './demo-accounts.ts'
import type { Log } from './logs.ts'
import type { Program } from './stack-process.ts'

interface StackPorts {
  /** Of the first API; the others take free ports. */
  api?: number
  web?: number
  balancer?: number
  mailboxHttp?: number
  mailboxSmtp?: number
  postgres?: number
  salesforce?: number
  box?: number
}

/** The scripts of the product, relative to the root of the repository. */
export const SCRIPTS = {
  serve: 'api/src/main/serve.ts',
  work: 'api/src/main/work.ts',
  admin: 'api/src/main/admin/admin-cli.ts',
  checker: 'api/src/checker/main.ts',
}

export interface StackOptions {
  /** Contains the database and the keys; a later start in the same folder continues with them. */
  dataDir: string
  mode: 'development' | 'test' | 'production'
  apis?: number
  workers?: number
  /** Vite serves the web app, instead of the API serving the built one. */
  vite?: boolean
  balancer?: boolean
  /** Restarts API and workers when their code changes. */
  watch?: boolean
  ports?: StackPorts
  /** An existing database; without it, the stack starts its own PostgreSQL. */
  databaseUrl?: string | undefined
  /** Whether data must survive a crash of the machine. */
  durable?: boolean
  /** False starts no virus scanner: the API then refuses every upload. */
  scanner?: boolean
  /** Each process serves its metrics on its own port. */
  metrics?: boolean
  /** Created after the start if they do not exist. */
  accounts?: readonly Account[]
  /** More variables for API, workers and admin commands. */
  env?: Record<string, string>
  /** Replaces variables for workers and admin commands, which do not connect through a pooler. */
  workerEnv?: Record<string, string>
  /** How long a process may take to stop before it is killed. */
  stopTimeoutMs?: number
  log?: Log
  signal?: AbortSignal
  /** Called when a process ends that the stack did not stop. */
  onUnexpectedExit?: (name: string, how: string, lastLines: string) => void
  /** The program that runs the scripts of the product, instead of this `node`. */
  program?: Program | undefined
  scripts?: Partial<typeof SCRIPTS>
}
