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

  it('sends every question without an answer as empty', () => {
    const { Submitted_At__c: at, ...unanswered } = sent({})
    expect(at).toBe('1970-01-01T00:00:00.000Z')
    expect(Object.keys(unanswered)).toHaveLength(20)
    expect(new Set(Object.values(unanswered))).toEqual(new Set([null]))
    const cleared = { retired: null, nam: null, race: null, dependents: null }
    expect(sent(cleared)).toEqual(sent({}))
  })

  it('sends No and zero as answers', () => {
    expect(sent({ retired: false, nine11: true, dependents: 0, vaDisabilityPay: 0 })).toMatchObject(
      {
        Retired__c: 'No',
        Served_In_Combat_After_9_11__c: 'Yes',
        Dependents__c: 0,
        VA_Disability_Pay__c: 0,
      },
    )
  })

  it('tells no deployment at all from a skipped question', () => {
    const none = { afghan: false, djibouti: false, gulf: false, syria: false, uzbekistan: false }
    expect(sent({ ...none, nam: false })['Deployments__c']).toBe('None of these')
    expect(sent({ ...none, nam: true })['Deployments__c']).toBe('Vietnam')
    expect(sent({ nam: true, gulf: true })['Deployments__c']).toBe('Gulf War;Vietnam')
    expect(sent({ nam: false })['Deployments__c']).toBeNull()
  })

  it('does not send its own id or its veteran as an answer', () => {
    expect(Object.keys(sent({}))).not.toContain('Portal_Intake_Id__c')
    expect(Object.keys(sent({}))).not.toContain('Veteran__c')
  })
})
