import type { Call, Log, SalesforceConnection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import type { Mapping } from './default-mapping.ts'
import { hasCode, unreadable } from './errors.ts'
import { MAX_LENGTHS } from './fields.ts'
import { readers } from './rows.ts'

/** Lists everything that the operator has to fix. */
export class MappingMismatch extends Error {
  override name = 'MappingMismatch'
  readonly mismatches: readonly string[]
  constructor(mismatches: readonly string[]) {
    super(
      `The CRM lacks what the portal uses:\n${mismatches.map((mismatch) => `- ${mismatch}`).join('\n')}\nDeploy the source in salesforce/, give the permission set Guidon_Integration to the portal's user, or correct the mapping file.`,
    )
    this.mismatches = mismatches
  }
}

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

export async function verifyMapping(
  connection: SalesforceConnection,
  mapping: Mapping,
  log: Log,
  deadline: Deadline,
): Promise<void> {
  const parts = Object.entries(mapping) as [keyof Mapping, Part][]
  const found = await Promise.all(
    parts.map(async ([name, part]) => {
      const fields = await describe(connection, part.object, deadline)
      if (fields === undefined) return [`there is no object ${part.object} (${name})`]
      for (const warning of tooShort(name, part, fields)) log.warn(warning)
      return Array.from(differences(name, part, fields, systemFields(mapping, name)))
    }),
  )
  const all = found.flat()
  if (all.length > 0) throw new MappingMismatch(all)
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
      yield `${object} has no field ${theirs} (${name}.${ours}), or the portal's user may not see it`
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
    const field = known.get(fields[ours]!.toLowerCase())
    if (field === undefined || field.length === 0 || field.length >= needed) continue
    yield `crm: ${object}.${field.name} holds ${field.length} characters, the portal sends up to ${needed}`
  }
}
