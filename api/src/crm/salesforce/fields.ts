import { NOTE_MAX } from '@guidon/contract/documents'
import { ANSWER_NAMES } from '@guidon/contract/intake'
import { chosenDeployments } from '@guidon/contract/intake-questions'
import { CITY_MAX, CRM_EMAIL_MAX, STREET_MAX } from '@guidon/contract/limits'
import type { Address } from '@guidon/contract/profile'
import { STATES } from '@guidon/contract/states'
import type {
  OutgoingContact,
  OutgoingContactRequest,
  OutgoingDocument,
  OutgoingIntake,
} from '../port.ts'
import { COUNTRY_CODE, STATE_CODE } from './default-mapping.ts'
import type { Mapping } from './default-mapping.ts'

type Fields = Record<string, unknown>

/** The longest texts that are sent: the lower of the org's and the portal's limits. */
export const MAX_LENGTHS = {
  contact: {
    firstName: 40,
    lastName: 80,
    email: CRM_EMAIL_MAX,
    street: STREET_MAX,
    city: 40,
    state: 80,
    zip: 20,
  },
  document: { name: 80, type: 80, note: NOTE_MAX },
  intake: { street: STREET_MAX, city: CITY_MAX, zip: 10 },
} as const

/** The CRM counts UTF-16 units; this does not cut a surrogate pair in half. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text
  let kept = ''
  for (const character of text) {
    if (kept.length + character.length > max) break
    kept += character
  }
  return kept
}

export function contactFields(mapping: Mapping, contact: OutgoingContact): Fields {
  const max = MAX_LENGTHS.contact
  const values = toOrgFields(mapping.contact.fields, {
    firstName: truncate(contact.firstName, max.firstName),
    lastName: truncate(contact.lastName, max.lastName),
    // A truncated email would be another address.
    email: contact.email.length > max.email ? undefined : contact.email,
    phone: contact.phone,
  })
  return { ...values, ...addressFields(mapping, contact) }
}

export function addressFields({ contact: { fields } }: Mapping, address: Address): Fields {
  const max = MAX_LENGTHS.contact
  const hasCodes = fields.state === STATE_CODE
  // Salesforce refuses the code of a state without a country.
  const country = hasCodes && address.state ? { [COUNTRY_CODE]: 'US' } : {}
  const values = toOrgFields(fields, {
    state: truncateOrNull(hasCodes ? codeOf(address.state) : address.state, max.state),
    street: truncateOrNull(address.street, max.street),
    city: truncateOrNull(address.city, max.city),
    zip: truncateOrNull(address.zip, max.zip),
  })
  return { ...values, ...country }
}

const codeOf = (state: string | null | undefined) =>
  STATES.find(({ name }) => name === state)?.code ?? state

export function contactRequestFields(
  { contactRequest: { fields, values } }: Mapping,
  { method, requestedAt }: OutgoingContactRequest,
): Fields {
  return toOrgFields(fields, {
    method: values.method[method],
    requestedAt: requestedAt.toISOString(),
  })
}

/** A question without an answer is sent as empty. */
export function intakeFields(
  { intake: { fields, values } }: Mapping,
  { answers, submittedAt }: OutgoingIntake,
): Fields {
  const max: Record<string, number> = MAX_LENGTHS.intake
  const choices: Record<string, Record<string, string>> = values
  const toOrg = (name: string, answer: unknown) => {
    if (typeof answer === 'boolean') return choices[name]?.[answer ? 'Yes' : 'No']
    if (typeof answer !== 'string') return answer ?? null
    return choices[name]?.[answer] ?? truncate(answer, max[name] ?? Infinity)
  }
  const sent: Fields = { submittedAt: submittedAt.toISOString() }
  for (const name of ANSWER_NAMES) sent[name] = toOrg(name, answers[name])
  const deployments = chosenDeployments(answers).map((choice) => values.deployments[choice])
  return toOrgFields(fields, { ...sent, deployments: deployments.join(';') || null })
}

export function documentFields(
  { document: { fields, values } }: Mapping,
  document: OutgoingDocument,
  variant: { withoutNote?: true; withoutOptional?: true },
): Fields {
  const max = MAX_LENGTHS.document
  return toOrgFields(fields, {
    name: truncate(document.name, max.name),
    type: truncate(document.type, max.type),
    boxFileId: document.boxFileId,
    lastUploadedAt: document.uploadedAt.toISOString(),
    // Ends a status of an earlier file, such as `notUsable`.
    status: variant.withoutOptional ? undefined : values.status.received,
    note: variant.withoutNote || variant.withoutOptional ? undefined : document.note,
  })
}

/**
 * Maps to the org's field names. Leaves out undefined values, so that the CRM keeps those fields as they are, and
 * fields that the org lacks.
 */
function toOrgFields(fields: Record<string, string>, values: Fields): Fields {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => value !== undefined && fields[name] !== undefined)
      .map(([name, value]) => [fields[name], value]),
  )
}

function truncateOrNull(text: string | null | undefined, max: number): string | null | undefined {
  return typeof text === 'string' ? truncate(text, max) : text
}
