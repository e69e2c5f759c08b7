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
  picklistValues?: { active: boolean; value: string; label: string }[]
}

export interface Part {
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
const READ_ONLY: Partial<Record<keyof Mapping, readonly string[]>> = {
  contact: ['caseManager'],
  document: ['dueDate', 'reason', 'statusReason'],
}

/** The mapping of one org: without the optional objects and fields that it lacks. */
export interface OrgMapping {
  mapping: Mapping
  /** What is left out, for the operator. */
  missing: readonly string[]
  /** The labels of a claim's stages by their values. */
  stageLabels: ReadonlyMap<string, string>
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
  const described = await Promise.all(
    parts.map(([, part]) => describe(connection, part.object, deadline)),
  )
  const adapted = parts.flatMap(([name, part], at): [string, Part][] => {
    const known = described[at]
    const isOptional = (field: string) => optional.includes(`${name}.${field}`)
    const { own, problems, leftOut } = adapt(name, part, known, isOptional, mapping)
    if (problems.length > 0 && optional.includes(name)) {
      missing.push(...problems)
      return []
    }
    mismatches.push(...problems)
    missing.push(...leftOut)
    if (known) for (const warning of tooShort(name, own, known)) log.warn(warning)
    return [[name, own]]
  })
  if (mismatches.length > 0) throw new CrmMismatch(mismatches)
  const claims = described[parts.findIndex(([name]) => name === 'claim')]
  const stages = claims?.get(mapping.claim?.fields.stage.toLowerCase() ?? '')?.picklistValues
  return {
    mapping: Object.fromEntries(adapted) as Mapping,
    missing,
    stageLabels: new Map(stages?.map(({ value, label }) => [value, label])),
  }
}

/** The part without the optional fields that the org lacks, or that it cannot be used with. */
function adapt(
  name: keyof Mapping,
  part: Part,
  known: Map<string, Field> | undefined,
  isOptional: (field: string) => boolean,
  mapping: Mapping,
): { own: Part; problems: string[]; leftOut: string[] } {
  if (known === undefined) {
    const problem = `there is no object ${part.object} (${name})`
    return { own: part, problems: [problem], leftOut: [] }
  }
  const { fields: wanted, ...rest } = withStateCode(name, part, known)
  const problems = systemFields(mapping, name)
    .filter((field) => !known.has(field.toLowerCase()))
    .map((field) => `${part.object} has no field ${field}`)
  const leftOut: string[] = []
  const fields: Record<string, string> = {}
  for (const [ours, theirs] of Object.entries(wanted)) {
    const found = [...differences(name, part, ours, theirs, known)]
    if (found.length === 0) fields[ours] = theirs
    else (isOptional(ours) ? leftOut : problems).push(...found)
  }
  return { own: { ...rest, fields }, problems, leftOut }
}

const noField = (name: string, object: string, ours: string, theirs: string) =>
  `${object} has no field ${theirs} (${name}.${ours}), or the portal's user may not see it`

/** Uses the state's code in an org with State and Country picklists, unless a mapping file names another field. */
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

/** What is wrong with one field. */
function* differences(
  name: keyof Mapping,
  { object, values = {} }: Part,
  ours: string,
  theirs: string,
  known: Map<string, Field>,
): Generator<string> {
  const fieldName = `${object}.${theirs}`
  const field = known.get(theirs.toLowerCase())
  if (field === undefined) {
    yield noField(name, object, ours, theirs)
    return
  }
  if (KEYS[name] === ours && !field.externalId) yield `${fieldName} is not an external id`
  if (isWritten(name, ours) && !(field.createable && field.updateable)) {
    yield `${fieldName} may not be written by the portal's user`
  }
  const isShort = name === 'document' && ours === 'note' && field.length < MAX_LENGTHS.document.note
  if (isShort) yield `${fieldName} holds only ${field.length} characters`
  // A checkbox without an answer says No.
  if (name === 'intake' && field.type === 'boolean') {
    yield `${fieldName} is a checkbox, which cannot be empty (${name}.${ours})`
  }
  if (name === 'intake' && ours === 'deployments' && field.type === 'picklist') {
    yield `${fieldName} holds only one value (${name}.${ours})`
  }
  if (field.type !== 'picklist' && field.type !== 'multipicklist') return
  const choices = new Set(
    field.picklistValues?.filter(({ active }) => active).map(({ value }) => value),
  )
  for (const value of Object.values(values[ours] ?? {})) {
    if (!choices.has(value)) yield `${fieldName} has no value '${value}'`
  }
}

function isWritten(name: keyof Mapping, ours: string): boolean {
  if (KEYS[name] === undefined) return false
  // Many orgs allow setting the parent only when a row is created.
  return ours !== 'contact' && READ_ONLY[name]?.includes(ours) !== true
}

function systemFields(mapping: Mapping, name: keyof Mapping): readonly string[] {
  const kindReaders: Record<string, { fields: string[] } | undefined> = readers(mapping)
  const own = new Set<string>(Object.values(mapping[name]?.fields ?? {}))
  return kindReaders[name]?.fields.filter((field) => !own.has(field)) ?? []
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
