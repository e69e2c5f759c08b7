import type { Log } from '../../platform/log.ts'
import type { Config } from '../config/config.ts'

export interface Finding {
  level: 'ok' | 'warning' | 'problem'
  /** What was found, and what to do. Contains no secret and no personal data. */
  text: string
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const warning = (text: string): Finding => ({ level: 'warning', text })
export const problem = (text: string): Finding => ({ level: 'problem', text })

export interface Examined {
  config: Config
  /** What is wrong with variables, by their names. */
  problems: ReadonlyMap<string, string>
  /** Receives a test email. */
  to: string | undefined
  now(): number
  log: Log
}

export interface Subject {
  name: string
  /** If one of these variables is in `problems`, the check does not run. */
  needs: readonly (keyof Config)[]
  check(examined: Examined): Promise<Finding>
}

const MB = 1_000_000
export const inMegabytes = (bytes: number): string =>
  `${Math.floor(bytes / MB).toLocaleString('en-US')} MB`
