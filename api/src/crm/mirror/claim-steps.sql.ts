import type { Stage } from '@guidon/contract/stages'
import { sql } from 'kysely'
import type { Queryable } from '../../db/database.ts'

/** A claim that the mirror has just written. */
export interface ClaimChange {
  id: string
  /** Null if the claim is deleted or emptied. */
  stage: string | null
  stageLabel: string | null
  /** Since when the claim is in its stage, if staff changed that. */
  newSince: Date | null
  modifiedAt: Date
}

interface Step {
  claimId: string
  stage: string
  enteredAt: string
}

/**
 * Adds a step to each claim whose newest step has another stage, and corrects the others. The claims are locked by
 * the statement that wrote them.
 */
export async function storeSteps(
  db: Queryable,
  changes: readonly ClaimChange[],
  stages: readonly Stage[],
): Promise<void> {
  const emptied = changes.filter(({ stage }) => stage === null).map(({ id }) => id)
  if (emptied.length > 0) await deleteSteps(db, emptied)
  const shown = changes.filter(({ stage }) => stage !== null)
  if (shown.length === 0) return
  const newest = await newestSteps(db, shown)
  const isSame = ({ id, stage }: ClaimChange) => newest.get(id)?.stage === stage
  await addSteps(
    db,
    shown
      .filter((change) => !isSame(change))
      .map(({ id, stage, stageLabel, newSince, modifiedAt }) => ({
        id,
        stage,
        label: stageLabel,
        // If staff changed the stage without the time, it is the time of the change.
        at: newSince ?? modifiedAt,
        back: isBack(stages, newest.get(id)?.stage, stage),
        version: modifiedAt,
      })),
  )
  await correctSteps(
    db,
    shown.filter(isSame).map(({ id, stage, stageLabel, newSince }) => ({
      id,
      stage,
      entered: newest.get(id)!.enteredAt,
      label: stageLabel,
      at: newSince,
    })),
  )
}

export async function deleteSteps(db: Queryable, claimIds: readonly string[]): Promise<void> {
  await sql`delete from claim_steps where claim_id = any(${claimIds}::text[])`.execute(db)
}

/**
 * The newest step of each claim. Steps of another version with the same time are deleted first: the CRM's times have
 * a precision of one second, and versions of the same second can be read in any order.
 */
async function newestSteps(
  db: Queryable,
  shown: readonly ClaimChange[],
): Promise<Map<string, Step>> {
  await sql`
    delete from claim_steps using jsonb_to_recordset(${JSON.stringify(shown)}::jsonb)
      as r(id text, stage text, "modifiedAt" timestamptz)
    where claim_id = r.id and version_at = r."modifiedAt" and claim_steps.stage <> r.stage`.execute(
    db,
  )
  const { rows } = await sql<Step>`
    select distinct on (claim_id) claim_id as "claimId", stage, entered_at::text as "enteredAt"
    from claim_steps where claim_id = any(${shown.map(({ id }) => id)}::text[])
    order by claim_id, version_at desc nulls last, entered_at desc`.execute(db)
  return new Map(rows.map((step) => [step.claimId, step]))
}

/** If a step exists already, staff have returned the claim to it, and the steps after it are deleted. */
async function addSteps(db: Queryable, steps: readonly object[]): Promise<void> {
  if (steps.length === 0) return
  await sql`
    with added as (insert into claim_steps (claim_id, stage, stage_label, entered_at, back, version_at)
    select id, stage, label, at, back, version
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb)
      as r(id text, stage text, label text, at timestamptz, back boolean, version timestamptz)
    on conflict (claim_id, entered_at, stage) do update
      set version_at = excluded.version_at, stage_label = excluded.stage_label
    returning new.claim_id, new.entered_at, old.claim_id is not null as restored)
    delete from claim_steps as undone using added
    where restored and undone.claim_id = added.claim_id
      and undone.entered_at > added.entered_at`.execute(db)
}

/** A step keeps its time if another one of the same stage has the new time. */
async function correctSteps(db: Queryable, steps: readonly object[]): Promise<void> {
  if (steps.length === 0) return
  await sql`
    update claim_steps as step set stage_label = r.label,
      entered_at = case when exists (select from claim_steps as other where other.claim_id = r.id
        and other.stage = r.stage and other.entered_at = r.at) then step.entered_at
        else coalesce(r.at, step.entered_at) end
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb)
      as r(id text, stage text, entered timestamptz, label text, at timestamptz)
    where step.claim_id = r.id and step.stage = r.stage and step.entered_at = r.entered
      and (r.at is not null or step.stage_label is distinct from r.label)`.execute(db)
}

/** The claim comes from a later stage. It is no step back if claims may return to this one. */
function isBack(stages: readonly Stage[], from: string | undefined, to: string | null): boolean {
  const at = stages.findIndex(({ key }) => key === to)
  return at >= 0 && !stages[at]?.mayRepeat && at < stages.findIndex(({ key }) => key === from)
}
