import * as z from 'zod/mini'
import { byId, endpoint } from './endpoint.ts'
import { CRM_EMAIL_MAX } from './limits.ts'

const SENT = {
  contact: 'the contact of this account',
  contact_request: 'a request for contact',
  intake: 'the intake form',
  document: 'a document',
} as const

/** Something of an account that Salesforce refused; later changes of the account wait behind it. */
export const crmRefusal = z.object({
  kind: z.enum(Object.keys(SENT) as (keyof typeof SENT)[]),
  /** Salesforce's error code. */
  code: z.string(),
})
export type CrmRefusal = z.infer<typeof crmRefusal>

export const getCrmRefusals = endpoint({
  method: 'GET',
  path: '/admin/users/{id}/refusals',
  params: byId,
  session: 'required',
  roles: ['STAFF', 'ADMIN'],
  response: z.array(crmRefusal),
  failure: 'Failed to check what Salesforce refused.',
})

const REASONS: Readonly<Record<string, string>> = {
  STRING_TOO_LONG: 'A value is longer than its field.',
  DUPLICATES_DETECTED: 'A duplicate rule found a similar record.',
  DUPLICATE_VALUE: 'Another record has the same unique value.',
  FIELD_CUSTOM_VALIDATION_EXCEPTION: 'A validation rule does not accept a value.',
  REQUIRED_FIELD_MISSING: 'A required field is empty.',
  INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST: 'A value is not in the list of its field.',
  INVALID_EMAIL_ADDRESS: 'The email is not valid there.',
  ENTITY_IS_DELETED: 'The record was deleted.',
  CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY: 'An automation of the record failed.',
  INSUFFICIENT_ACCESS_OR_READONLY: 'The portal may not write the record.',
}

/** For staff: what was refused, why, and what happens next. */
export function refusalText({ kind, code }: CrmRefusal): string {
  const refused = `Salesforce refused ${SENT[kind]}`
  const reason = REASONS[code]
  const whatAndWhy = reason ? `${refused}. ${reason}` : `${refused} (${code}).`
  return `${whatAndWhy} Later changes of this account wait. When the cause is fixed in Salesforce, the operator of the portal sends them again.`
}

export const EMAIL_TOO_LONG_FOR_CRM = `This email is longer than the ${CRM_EMAIL_MAX} characters that Salesforce holds, so the contact there has none.`
