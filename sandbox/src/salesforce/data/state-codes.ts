import { apiError } from '../errors.ts'
import type { ErrorEntry } from '../errors.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import type { Value } from './row.ts'

/** An org with State and Country picklists: codes and names match; if a write sets both, the code decides. */

type Values = Record<string, Value>

const COUNTRIES = [
  { value: 'US', label: 'United States', isDefault: false },
  { value: 'CA', label: 'Canada', isDefault: false },
]

/** The states are those of `Intake__c.State__c`; here all of them belong to the United States. */
export function withStateCodes(objects: readonly ObjectSchema[]): ObjectSchema[] {
  const intake = objects.find(({ name }) => name === 'Intake__c')!
  const { picklist = [] } = intake.fields.find(({ name }) => name === 'State__c')!
  const codes: Field[] = [
    { name: 'MailingStateCode', label: 'Mailing State/Province Code', type: 'picklist', picklist },
    {
      name: 'MailingCountryCode',
      label: 'Mailing Country Code',
      type: 'picklist',
      picklist: COUNTRIES,
    },
  ]
  return objects.map((object) =>
    object.name === 'Contact' ? { ...object, fields: [...object.fields, ...codes] } : object,
  )
}

/** Sets the names of the written codes, and the codes of written names. Other texts are refused. */
export function resolveStates(object: ObjectSchema, written: ReadonlySet<string>, values: Values) {
  const states = object.fields.find(({ name }) => name === 'MailingStateCode')?.picklist
  if (states === undefined) return
  resolve('Country', COUNTRIES, written, values)
  resolve('State', states, written, values)
  if (values['MailingStateCode'] && !values['MailingCountryCode']) {
    throw refused(
      'A country/territory must be specified before specifying a state value for field: Mailing State/Province',
      'MailingStateCode',
    )
  }
}

function resolve(
  what: 'Country' | 'State',
  choices: NonNullable<Field['picklist']>,
  written: ReadonlySet<string>,
  values: Values,
): void {
  const [text, code] = [`Mailing${what}`, `Mailing${what}Code`]
  if (written.has(code)) {
    values[text] = choices.find(({ value }) => value === values[code])?.label ?? null
  } else if (written.has(text)) {
    const name = values[text]
    const choice = choices.find(({ label }) => label === name)
    if (name && choice === undefined) {
      const kind = what.toLowerCase()
      throw refused(
        `There's a problem with this ${kind}, even though it may appear correct. Please select a ${kind} from the list of valid ones.`,
        text,
      )
    }
    values[code] = choice?.value ?? null
  }
}

const refused = (message: string, field: NonNullable<ErrorEntry['fields']>[number]) =>
  apiError(400, 'FIELD_INTEGRITY_EXCEPTION', message, [field])
