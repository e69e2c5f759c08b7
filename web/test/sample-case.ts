import type { Claim } from '@guidon/contract/claims'
import type { TodoItem } from '@guidon/contract/todo'

/** For tests. */
export function sampleClaim(changes: Partial<Claim> = {}): Claim {
  return {
    id: 'c1',
    title: 'Increase: knee and hearing',
    closed: false,
    stage: {
      label: 'Gathering records',
      sentence: 'We are gathering your records',
      actor: 'us',
      usualTime: '3 to 6 weeks',
    },
    since: '2026-11-04T12:00:00.000Z',
    nextStep: null,
    movedBack: null,
    steps: [
      { label: 'Intake', state: 'done', enteredAt: '2026-10-20T12:00:00.000Z' },
      { label: 'Case review', state: 'done', enteredAt: null },
      { label: 'Gathering records', state: 'current', enteredAt: '2026-11-04T12:00:00.000Z' },
      { label: 'Medical visits', state: 'ahead', enteredAt: null },
    ],
    ...changes,
  }
}

export function sampleItem(changes: Partial<TodoItem> = {}): TodoItem {
  return {
    kind: 'requestedDocument',
    id: 'r1',
    subject: 'DD Form 214',
    due: null,
    why: null,
    ...changes,
  }
}
