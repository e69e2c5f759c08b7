import type { CaseEvent } from '@guidon/contract/case-activity'
import type { Stage } from '@guidon/contract/stages'
import type { ActivityRow } from './activity.sql.ts'
import { labelOf } from './claim-view.ts'

const TEXTS: Record<ActivityRow['kind'], { named: string; unnamed: string }> = {
  received: { named: 'We received: ', unnamed: 'We received a document' },
  reviewed: { named: 'We reviewed: ', unnamed: 'We reviewed a document' },
  notUsable: { named: 'We cannot use: ', unnamed: 'We cannot use a document' },
  moved: { named: 'Your claim moved to: ', unnamed: 'Your claim moved to another stage' },
  movedBack: { named: 'Your claim moved back to: ', unnamed: 'Your claim moved back' },
}

export function toCaseEvent(
  { at, kind, name, stage }: ActivityRow,
  stages: readonly Stage[],
): CaseEvent {
  const { named, unnamed } = TEXTS[kind]
  const subject = stage === null ? name : labelOf(stage, name, stages)
  return { at, what: subject ? named + subject : unnamed }
}
