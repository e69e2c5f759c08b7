import type { Stage } from '@guidon/contract/stages'
import { describe, expect, it } from 'vitest'
import { toClaim } from './claim-view.ts'
import type { ClaimRow, StepRow } from './claims.sql.ts'

const stage = (key: string, more: Partial<Stage> = {}): Stage => ({
  key,
  label: `${key} label`,
  sentence: `${key} sentence`,
  actor: 'us',
  ...more,
})
const STAGES = [stage('one'), stage('two'), stage('three', { usualTime: '2 weeks' }), stage('four')]

const at = (hour: number) => `2026-11-01T${String(hour).padStart(2, '0')}:00:00.000Z`
const step = (key: string, hour: number, more: Partial<StepRow> = {}): StepRow => ({
  stage: key,
  label: `${key} of the CRM`,
  enteredAt: at(hour),
  back: false,
  ...more,
})
const claim = (row: Partial<ClaimRow>) =>
  toClaim(
    {
      id: 'a03',
      title: 'Disability claim',
      closed: false,
      stage: 'three',
      stageLabel: 'three of the CRM',
      since: null,
      reason: null,
      nextStep: null,
      steps: [],
      ...row,
    },
    STAGES,
  )
const states = ({ steps }: ReturnType<typeof claim>) =>
  steps.map(({ label, state, enteredAt }) => `${label} ${state} ${enteredAt ?? '-'}`)

describe('a claim in a stage of the provider', () => {
  it('has done, current and future stages, with times for those that it was in', () => {
    const { stage: current, since, ...rest } = claim({ steps: [step('one', 1), step('three', 5)] })
    expect(current).toEqual({
      label: 'three label',
      sentence: 'three sentence',
      actor: 'us',
      usualTime: '2 weeks',
    })
    expect(since).toBe(at(5))
    expect(states({ ...rest, stage: current, since })).toEqual([
      `one label done ${at(1)}`,
      'two label done -',
      `three label current ${at(5)}`,
      'four label ahead -',
    ])
  })

  it('is there since the time of its step, or since the time that the CRM has', () => {
    const found = claim({ since: at(7) })
    expect(found.since).toBe(at(7))
    expect(states(found)[2]).toBe(`three label current ${at(7)}`)
    expect(claim({ since: at(7), steps: [step('three', 8)] }).since).toBe(at(8))
  })

  it('shows the last time that it entered an earlier stage before the current step', () => {
    const steps = [
      step('one', 1),
      step('two', 2),
      step('three', 3),
      step('two', 4),
      step('three', 5),
    ]
    expect(states(claim({ steps }))).toEqual([
      `one label done ${at(1)}`,
      `two label done ${at(4)}`,
      `three label current ${at(5)}`,
      'four label ahead -',
    ])
  })

  it('that moved back says why, and has no times for the stages that are ahead again', () => {
    const steps = [step('one', 1), step('two', 2), step('four', 3), step('two', 4, { back: true })]
    const found = claim({ stage: 'two', reason: 'A record is missing', steps })
    expect(found.movedBack).toEqual({ reason: 'A record is missing' })
    expect(states(found)).toEqual([
      `one label done ${at(1)}`,
      `two label current ${at(4)}`,
      'three label ahead -',
      'four label ahead -',
    ])
  })

  it('that moved back and then on is not moved back any more', () => {
    const steps = [step('four', 3), step('two', 4, { back: true }), step('three', 5)]
    expect(claim({ steps, reason: 'Old' }).movedBack).toBeNull()
  })
})

describe('a claim in a stage that the provider’s list does not have', () => {
  it('has the label of the CRM and the stages that it was in', () => {
    const steps = [
      step('one', 1),
      step('odd', 2),
      step('one', 3),
      step('old', 4, { label: null }),
      step('odd', 5),
    ]
    const found = claim({ stage: 'odd', stageLabel: 'Odd stage', steps })
    expect(found.stage).toEqual({
      label: 'Odd stage',
      sentence: null,
      actor: null,
      usualTime: null,
    })
    expect(states(found)).toEqual([
      `one label done ${at(3)}`,
      `old done ${at(4)}`,
      `Odd stage current ${at(5)}`,
    ])
  })

  it('has its key as the label if the CRM has none', () => {
    expect(claim({ stage: 'odd', stageLabel: null }).stage.label).toBe('odd')
  })
})
