import type { BodyIn } from '@guidon/contract/endpoint'
import type { decideLink } from '@guidon/contract/links'

type Decision = BodyIn<typeof decideLink>['decision']

/** What the list says after a decision. */
export const DECIDED: Readonly<Record<Decision, string>> = {
  confirm: 'The link is confirmed.',
  refuse: 'The link is refused.',
}

/** Navigation state that makes the list say what was decided. */
export const decidedState = (decided: Decision) => ({ decided })

export function decisionIn(state: unknown): Decision | undefined {
  const { decided } = (state ?? {}) as { decided?: unknown }
  return decided === 'confirm' || decided === 'refuse' ? decided : undefined
}
