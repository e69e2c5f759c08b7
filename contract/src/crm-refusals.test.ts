import { expect, it } from 'vitest'
import { EMAIL_TOO_LONG_FOR_CRM, refusalText } from './crm-refusals.ts'

it('says what Salesforce refused, why, and who sends it again', () => {
  expect(refusalText({ kind: 'contact', code: 'STRING_TOO_LONG' })).toBe(
    'Salesforce refused the contact of this account. A value is longer than its field. Later changes of this account wait. When the cause is fixed in Salesforce, the operator of the portal sends them again.',
  )
})

it('shows the code if there is no text for it', () => {
  expect(refusalText({ kind: 'document', code: 'TOO_MANY_APEX' })).toMatch(
    /^Salesforce refused a document \(TOO_MANY_APEX\)\./,
  )
})

it('says how long an email may be in Salesforce', () => {
  expect(EMAIL_TOO_LONG_FOR_CRM).toBe(
    'This email is longer than the 80 characters that Salesforce holds, so the contact there has none.',
  )
})
