import type { Claim, ClaimStep } from '@guidon/contract/claims'
import type { Stage } from '@guidon/contract/stages'
import type { ClaimRow, StepRow } from './claims.sql.ts'

/** In the provider's words; the CRM's label for a stage that `stages.json` does not have. */
export function labelOf(key: string, crmLabel: string | null, stages: readonly Stage[]): string {
  return stages.find((stage) => stage.key === key)?.label ?? crmLabel ?? key
}

export function toClaim(row: ClaimRow, stages: readonly Stage[]): Claim {
  const { id, title, closed, nextStep } = row
  const known = stages.find(({ key }) => key === row.stage)
  const currentIndex = row.steps.findLastIndex(({ stage }) => stage === row.stage)
  const current = row.steps[currentIndex]
  const before = current ? row.steps.slice(0, currentIndex) : row.steps
  const label = labelOf(row.stage, row.stageLabel, stages)
  // The time of the recorded step, because staff may have changed the stage in the CRM but not its time.
  const since = current?.enteredAt ?? row.since
  const { sentence = null, actor = null, usualTime = null } = known ?? {}
  const currentStep: ClaimStep = { label, state: 'current', enteredAt: since }
  return {
    id,
    title,
    closed,
    stage: { label, sentence, actor, usualTime },
    since,
    nextStep,
    movedBack: current?.back ? { reason: row.reason } : null,
    steps: known
      ? [...doneStages(known, before, stages), currentStep, ...stagesAhead(known, stages)]
      : [...visitedStages(row.stage, before, stages), currentStep],
  }
}

/** The stages before the current one; the time is null for a stage that was skipped. */
function doneStages(
  current: Stage,
  before: readonly StepRow[],
  stages: readonly Stage[],
): ClaimStep[] {
  return stages.slice(0, stages.indexOf(current)).map(({ key, label }) => ({
    label,
    state: 'done',
    enteredAt: before.findLast(({ stage }) => stage === key)?.enteredAt ?? null,
  }))
}

const stagesAhead = (current: Stage, stages: readonly Stage[]): ClaimStep[] =>
  stages
    .slice(stages.indexOf(current) + 1)
    .map(({ label }) => ({ label, state: 'ahead', enteredAt: null }))

/** Each stage once, ordered by when the claim last entered it. */
function visitedStages(
  currentKey: string,
  before: readonly StepRow[],
  stages: readonly Stage[],
): ClaimStep[] {
  const isLast = ({ stage }: StepRow, index: number) =>
    stage !== currentKey && !before.slice(index + 1).some((later) => later.stage === stage)
  return before.filter(isLast).map(({ stage, label, enteredAt }) => ({
    label: labelOf(stage, label, stages),
    state: 'done',
    enteredAt,
  }))
}
