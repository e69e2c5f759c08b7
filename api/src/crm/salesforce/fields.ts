import { CITY_MAX, STREET_MAX } from '@guidon/contract/limits'
import type {
  OutgoingContact,
  OutgoingContactRequest,
  OutgoingDocument,
  OutgoingIntake,
} from '../port.ts'
import type { Mapping } from './default-mapping.ts'

type Fields = Record<string, unknown>

/** The longest texts that are sent: what an org's own fields hold, and ours where they hold less. */
export const LONGEST = {
  contact: { firstName: 40, lastName: 80, street: STREET_MAX, city: 40, state: 80, zip: 20 },
  document: { name: 80, type: 80 },
  intake: { street: STREET_MAX, city: CITY_MAX, zip: 10 },
} as const

const CHECKBOXES = new Set([
  'afghan',
  'djibouti',
  'gulf',
  'syria',
  'uzbekistan',
  'nam',
  'retired',
  'nine11',
])

/** The CRM counts UTF-16 units; a character that needs two is not cut in half. */
export function cut(text: string, longest: number): string {
  let kept = ''
  for (const character of text) {
    if (kept.length + character.length > longest) break
    kept += character
  }
  return kept
}

export function contactFields({ contact: { fields } }: Mapping, contact: OutgoingContact): Fields {
  const longest = LONGEST.contact
  return named(fields, {
    firstName: cut(contact.firstName, longest.firstName),
    lastName: cut(contact.lastName, longest.lastName),
    email: contact.email,
    phone: contact.phone,
    state: cutOrNull(contact.state, longest.state),
    street: cutOrNull(contact.street, longest.street),
    city: cutOrNull(contact.city, longest.city),
    zip: cutOrNull(contact.zip, longest.zip),
  })
}

export function contactRequestFields(
  { contactRequest: { fields, values } }: Mapping,
  { method, requestedAt }: OutgoingContactRequest,
): Fields {
  return named(fields, {
    method: values.method[method],
    requestedAt: requestedAt.toISOString(),
  })
}

/** A repeat changes nothing, so an answer that was taken back is sent as empty. */
export function intakeFields(
  { intake: { fields, values } }: Mapping,
  { answers, submittedAt }: OutgoingIntake,
): Fields {
  const longest: Record<string, number> = LONGEST.intake
  const choices: Record<string, Record<string, string>> = values
  const sent: Fields = { submittedAt: submittedAt.toISOString() }
  for (const name of Object.keys(fields)) {
    if (name === 'contact' || name === 'portalIntakeId' || name === 'submittedAt') continue
    const answer = answers[name as keyof typeof answers] ?? null
    if (CHECKBOXES.has(name)) sent[name] = answer === true
    else if (typeof answer !== 'string') sent[name] = answer
    else sent[name] = choices[name]?.[answer] ?? cut(answer, longest[name] ?? Infinity)
  }
  return named(fields, sent)
}

export function documentFields(
  { document: { fields } }: Mapping,
  document: OutgoingDocument,
): Fields {
  const longest = LONGEST.document
  return named(fields, {
    name: cut(document.name, longest.name),
    type: cut(document.type, longest.type),
    boxFileId: document.boxFileId,
    lastUploadedAt: document.uploadedAt.toISOString(),
  })
}

/** Under the org's names; what is undefined is left as it is there. */
function named(fields: Record<string, string>, values: Fields): Fields {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [fields[name], value]),
  )
}

function cutOrNull(text: string | null | undefined, longest: number): string | null | undefined {
  return typeof text === 'string' ? cut(text, longest) : text
}
