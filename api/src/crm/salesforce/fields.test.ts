import { describe, expect, it } from 'vitest'
import { defaultMapping } from './default-mapping.ts'
import { truncate, intakeFields } from './fields.ts'

describe('a text', () => {
  it.each([
    ['short', 80, 'short'],
    ['x'.repeat(80), 80, 'x'.repeat(80)],
    ['x'.repeat(81), 80, 'x'.repeat(80)],
    [`${'x'.repeat(79)}🎖`, 80, 'x'.repeat(79)],
    [`${'x'.repeat(78)}🎖y`, 80, `${'x'.repeat(78)}🎖`],
  ])('is cut between characters: %s', (text, longest, expected) => {
    expect(truncate(text, longest)).toBe(expected)
  })
})

describe('an intake', () => {
  const sent = (answers: Parameters<typeof intakeFields>[1]['answers']) =>
    intakeFields(defaultMapping, { intakeId: '', userId: '', answers, submittedAt: new Date(0) })

  it('sends an unticked box as false, and every other missing answer as empty', () => {
    const unanswered = sent({})
    expect(sent({ retired: null, nine11: false, race: null, dependents: null })).toEqual(unanswered)
    const boxes = Object.entries(unanswered).filter(([, value]) => value === false)
    expect(boxes.map(([name]) => name).toSorted()).toEqual([
      'Deployed_Afghanistan__c',
      'Deployed_Djibouti__c',
      'Deployed_Gulf_War__c',
      'Deployed_Syria__c',
      'Deployed_Uzbekistan__c',
      'Deployed_Vietnam__c',
      'Retired__c',
      'Served_In_Combat_After_9_11__c',
    ])
    expect(unanswered['Submitted_At__c']).toBe('1970-01-01T00:00:00.000Z')
    const rest = Object.values(unanswered).filter((value) => value === null)
    expect(rest).toHaveLength(17)
  })

  it('does not send its own id or its veteran as an answer', () => {
    expect(Object.keys(sent({}))).not.toContain('Portal_Intake_Id__c')
    expect(Object.keys(sent({}))).not.toContain('Veteran__c')
  })
})
