import { CrmMismatch } from '../port.ts'
import type { Call, Log, SalesforceConnection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import { defaultMapping, STATE_CODE } from './default-mapping.ts'
import type { Mapping } from './default-mapping.ts'
import { hasCode, unreadable } from './errors.ts'
import { MAX_LENGTHS } from './fields.ts'
import { readers } from './rows.ts'

interface Field {
  name: string
  type: string
  length: number
  externalId: boolean
  createable: boolean
  updateable: boolean
  picklistValues?: { active: boolean; value: string }[]
}

interface Part {
  object: string
  fields: Record<string, string>
  values?: Record<string, Record<string, string>>
}

/** The field of each object that holds the portal's id of the row. */
const KEYS: Partial<Record<keyof Mapping, string>> = {
  contact: 'portalUserId',
  contactRequest: 'portalRequestId',
  intake: 'portalIntakeId',
  document: 'portalDocumentId',
}
/** Only staff write these fields. */
const READ_ONLY: Partial<Record<keyof Mapping, readonly string[]>> = { contact: ['caseManager'] }

/** The mapping of one org: without the optional fields that it lacks. */
export interface OrgMapping {
  mapping: Mapping
  /** Optional objects that the org lacks. */
  absent: ReadonlySet<string>
  /** What is left out, for the operator. */
  missing: readonly string[]
}

export async function verifyMapping(
  connection: SalesforceConnection,
  { mapping, optional }: { mapping: Mapping; optional: readonly string[] },
  log: Log,
  deadline: Deadline,
): Promise<OrgMapping> {
  const parts = Object.entries(mapping) as [keyof Mapping, Part][]
  const mismatches: string[] = []
  const missing: string[] = []
  const absent = new Set<string>()
  const described = await Promise.all(
    parts.map(([, part]) => describe(connection, part.object, deadline)),
  )
  const adapted = parts.map(([name, part], at): [string, Part] => {
    const known = described[at]
    if (known === undefined) {
      const list = optional.includes(name) ? missing : mismatches
      list.push(`there is no object ${part.object} (${name})`)
      if (list === missing) absent.add(name)
      return [name, part]
    }
    const isLeftOut = ([ours, theirs]: [string, string]) =>
      optional.includes(`${name}.${ours}`) && !known.has(theirs.toLowerCase())
    const own = withStateCode(name, part, known)
    const leftOut = Object.entries(own.fields).filter(isLeftOut)
    for (const [ours, theirs] of leftOut) missing.push(noField(name, part.object, ours, theirs))
    const fields = Object.entries(own.fields).filter((field) => !isLeftOut(field))
    const reduced = { ...own, fields: Object.fromEntries(fields) }
    for (const warning of tooShort(name, reduced, known)) log.warn(warning)
    mismatches.push(...differences(name, reduced, known, systemFields(mapping, name)))
    return [name, reduced]
  })
  if (mismatches.length > 0) throw new CrmMismatch(mismatches)
  return { mapping: Object.fromEntries(adapted) as Mapping, absent, missing }
}

const noField = (name: string, object: string, ours: string, theirs: string) =>
  `${object} has no field ${theirs} (${name}.${ours}), or the portal's user may not see it`

/** With State and Country picklists, `MailingState` holds the name of the state. A field of a mapping file is kept. */
function withStateCode(name: string, part: Part, known: Map<string, Field>): Part {
  const usesStandard =
    name === 'contact' && part.fields['state'] === defaultMapping.contact.fields.state
  if (!usesStandard || !known.has(STATE_CODE.toLowerCase())) return part
  return { ...part, fields: { ...part.fields, state: STATE_CODE } }
}

async function describe(
  connection: SalesforceConnection,
  object: string,
  deadline: Deadline,
): Promise<Map<string, Field> | undefined> {
  const call: Call = { method: 'GET', path: `/sobjects/${object}/describe` }
  try {
    const { body } = await connection.send<{ fields?: Field[] }>(call, deadline)
    if (!Array.isArray(body.fields)) throw unreadable()
    return new Map(body.fields.map((field) => [field.name.toLowerCase(), field]))
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND', 'INVALID_TYPE')) return undefined
    throw error
  }
}

function* differences(
  name: keyof Mapping,
  { object, fields, values = {} }: Part,
  known: Map<string, Field>,
  system: readonly string[],
): Generator<string> {
  for (const field of system) {
    if (!known.has(field.toLowerCase())) yield `${object} has no field ${field}`
  }
  for (const [ours, theirs] of Object.entries(fields)) {
    const fieldName = `${object}.${theirs}`
    const field = known.get(theirs.toLowerCase())
    if (field === undefined) {
      yield noField(name, object, ours, theirs)
      continue
    }
    if (KEYS[name] === ours && !field.externalId) yield `${fieldName} is not an external id`
    if (isWritten(name, ours) && !(field.createable && field.updateable)) {
      yield `${fieldName} may not be written by the portal's user`
    }
    if (field.type !== 'picklist') continue
    const choices = new Set(
      field.picklistValues?.filter(({ active }) => active).map(({ value }) => value),
    )
    for (const value of Object.values(values[ours] ?? {})) {
      if (!choices.has(value)) yield `${fieldName} has no value '${value}'`
    }
  }
}

function isWritten(name: keyof Mapping, ours: string): boolean {
  if (KEYS[name] === undefined) return false
  // Many orgs allow setting the parent only when a row is created.
  return ours !== 'contact' && READ_ONLY[name]?.includes(ours) !== true
}

function systemFields(mapping: Mapping, name: keyof Mapping): readonly string[] {
  const known: Record<string, { fields: string[] } | undefined> = readers(mapping)
  const own = new Set<string>(Object.values(mapping[name].fields))
  return known[name]?.fields.filter((field) => !own.has(field)) ?? []
}

function* tooShort(
  name: keyof Mapping,
  { object, fields }: Part,
  known: Map<string, Field>,
): Generator<string> {
  const lengths: Partial<Record<string, Record<string, number>>> = MAX_LENGTHS
  for (const [ours, needed] of Object.entries(lengths[name] ?? {})) {
    const field = known.get(fields[ours]?.toLowerCase() ?? '')
    if (field === undefined || field.length === 0 || field.length >= needed) continue
    yield `crm: ${object}.${field.name} holds ${field.length} characters, the portal sends up to ${needed}`
  }
}
