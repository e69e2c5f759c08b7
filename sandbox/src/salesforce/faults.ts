import { FaultInjection, readFault } from '../fault-injection.ts'
import { parseJson } from '../json.ts'
import { textOf } from './text.ts'

const FAULT_MODES = [
  'none',
  'down',
  'hang',
  '500',
  '429',
  'quota',
  'expired-token',
  'truncated',
  'lost',
  'slow',
] as const
type FaultMode = (typeof FAULT_MODES)[number]

/**
 * `down` cuts the connection before the call is handled, `lost` after it and before the response,
 * `truncated` in the middle of the response.
 */
export interface Fault {
  mode: FaultMode
  /** How many calls it still affects; without it, every call until the fault is replaced. */
  times?: number
  /** Only calls whose method and path, or those of a part of a composite, contain this: `PATCH`, `oauth2/token`. */
  match?: string
  /** How long `slow` waits before the response. */
  milliseconds?: number
}

const DEFAULT_DELAY_MS = 2_000

/** Decides which fault affects a call of Salesforce's API. */
export class Faults extends FaultInjection<Fault> {
  faultFor(calls: () => string[], isToken: boolean): Fault {
    return this.apply(({ mode, match }) => {
      if (match !== undefined && !calls().some((call) => call.includes(match))) return false
      // The request for a token uses neither the quota nor a token.
      return !(isToken && (mode === 'quota' || mode === 'expired-token'))
    })
  }

  async delay(
    { milliseconds = DEFAULT_DELAY_MS }: Fault,
    disconnected: AbortSignal,
  ): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      disconnected.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

export const FAULT_HELP = `Send { "mode": ${FAULT_MODES.join(' | ')}, "times"?: a whole number above 0, "match"?: part of method and path, "milliseconds"?: for slow }`

export function readSalesforceFault(body: string): Fault | undefined {
  const parsed = parseJson(body)
  const fault = readFault(parsed, FAULT_MODES)
  if (fault === undefined) return undefined
  const { match, milliseconds } = parsed as Record<string, unknown>
  return {
    ...fault,
    ...(match !== undefined && { match: textOf(match) }),
    ...(milliseconds !== undefined && { milliseconds: Number(milliseconds) }),
  }
}
