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

/** Why a file that Box has is not with the contact in Salesforce. */
export const notInCrm = z.object({
  /** `blocked`: Salesforce refused something else of the account. */
  why: z.enum(['refused', 'blocked', 'needsLink', 'deleted', 'moved']),
  /** What it refused. */
  refusal: z.nullish(crmRefusal),
})
export type NotInCrm = z.infer<typeof notInCrm>

const REASONS: Readonly<Record<string, string>> = {
  STRING_TOO_LONG: 'A value is longer than its field.',
  DUPLICATES_DETECTED: 'A duplicate rule found a similar record.',
  DUPLICATE_VALUE: 'Another record has the same unique value.',
  FIELD_CUSTOM_VALIDATION_EXCEPTION: 'A validation rule does not accept a value.',
  REQUIRED_FIELD_MISSING: 'A required field is empty.',
  INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST: 'A value is not in the list of its field.',
  INVALID_EMAIL_ADDRESS: 'The email is not valid there.',
  INVALID_FIELD:
    'The contact does not have the ID of the account (Portal_User_Id__c), or the portal may not see a field.',
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

const STAYS = 'The file stays in Box and in the list of the veteran.'
const MISSING: Readonly<Record<NotInCrm['why'], string>> = {
  refused: 'Salesforce refused a document.',
  blocked: 'Salesforce refused something else of this account.',
  needsLink:
    'The contact of this account is deleted in Salesforce, or its owner said that it is somebody else. What the account sends waits. Enter the Salesforce ID of the right contact in Edit User, or answer the question in Links to confirm.',
  deleted: `The record of a document was deleted in Salesforce. ${STAYS}`,
  moved: `The record of a document is at another contact in Salesforce. ${STAYS}`,
}

/** For staff: why files are not in Salesforce, and what to do. */
export const notInCrmText = ({ why, refusal }: NotInCrm): string =>
  refusal ? refusalText(refusal) : MISSING[why]

export const EMAIL_TOO_LONG_FOR_CRM = `This email is longer than the ${CRM_EMAIL_MAX} characters that Salesforce holds, so the contact there has none.`
