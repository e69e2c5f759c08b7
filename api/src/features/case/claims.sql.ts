import { CLAIM_STEPS_MAX, CLAIMS_MAX } from '@guidon/contract/claims'
import { isoTime } from '../../db/case-rules.ts'
import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'

export interface StepRow {
  stage: string
  label: string | null
  enteredAt: string
  back: boolean
}

export interface ClaimRow {
  id: string
  title: string | null
  closed: boolean
  stage: string
  stageLabel: string | null
  since: string | null
  reason: string | null
  nextStep: string | null
  /** Oldest first. */
  steps: StepRow[]
}

/** Nothing can be said about a claim without a stage. */
const selectClaims = statement<ClaimRow>(`
  select c.id, c.title, c.closed is true as closed, c.stage, c.stage_label as "stageLabel",
    ${isoTime('c.stage_since')} as since, c.stage_reason as reason, c.next_step as "nextStep",
    coalesce(entered.steps, '[]') as steps
  from case_claim c
  left join lateral (
    select max(s.entered_at) as last, jsonb_agg(jsonb_build_object('stage', s.stage, 'label', s.stage_label,
      'enteredAt', ${isoTime('s.entered_at')}, 'back', s.back) order by s.entered_at, s.stage) as steps
    from (select * from claim_steps where claim_id = c.id
      order by entered_at desc, stage desc limit ${CLAIM_STEPS_MAX}) as s) as entered on true
  where c.user_id = $1 and c.stage is not null
  order by c.closed is true, coalesce(entered.last, c.stage_since) desc nulls last, c.id desc
  limit ${CLAIMS_MAX}`)

export function claimRows(db: Queryable, userId: string): Promise<ClaimRow[]> {
  return selectClaims(db, userId)
}
