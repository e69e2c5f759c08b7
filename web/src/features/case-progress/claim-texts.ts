import type { Claim } from '@guidon/contract/claims'
import type { Actor } from '@guidon/contract/stages'
import { localLongDate, localShortDate } from '../../ui/dates.ts'

const ACTOR_TEXTS: Record<Actor, string> = {
  you: 'This step needs you.',
  us: 'We are working on it.',
  va: 'VA is working on it.',
}

/** Since when the claim is in its stage, how long that usually takes, and who acts. */
export function stageFacts({ since, stage }: Claim): string {
  return [
    since && `Since ${localLongDate(new Date(since))}.`,
    stage.usualTime && `This step usually takes ${stage.usualTime}.`,
    stage.actor && ACTOR_TEXTS[stage.actor],
  ]
    .filter(Boolean)
    .join(' ')
}

/** Whether the veteran has to do something, unless the stage itself needs the veteran. */
export function neededText({ stage }: Claim, todoCount: number | undefined): string {
  if (todoCount === undefined || stage.actor === null || stage.actor === 'you') return ''
  if (todoCount === 0) return 'Nothing is needed from you right now.'
  return `Nothing is needed from you except the ${todoCount === 1 ? 'item' : 'items'} above.`
}

export const movedBackText = ({ since }: Claim): string =>
  since
    ? `We moved your claim back to this step on ${localShortDate(since)}.`
    : 'We moved your claim back to this step.'
