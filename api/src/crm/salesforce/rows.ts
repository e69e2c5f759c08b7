import type { CrmDocumentStatus } from '@guidon/contract/documents'
import { STATES } from '@guidon/contract/states'
import type {
  AppointmentRow,
  ClaimRow,
  ContactRow,
  DocumentCategoryRow,
  DocumentRow,
  Kind,
  RowOf,
  UserRow,
  Version,
} from '../port.ts'
import { defaultMapping, readableFields, STATE_CODE } from './default-mapping.ts'
import type { Mapping } from './default-mapping.ts'
import { unreadable } from './errors.ts'
import { truncate } from './fields.ts'

export type RawRecord = Record<string, unknown>

export interface Reader<Row> {
  object: string
  fields: string[]
  /** Whether queries can return deleted rows from the recycle bin. */
  hasDeleted: boolean
  /** Custom metadata: few rows, no deleted ones, and no order by time, so all are read at once. */
  isConfiguration: boolean
  row(record: RawRecord): Row
}

export type Readers = { [K in Kind]: Reader<RowOf[K]> }

/** `stageLabels`: the labels of a claim's stages by their values. Kinds that the org lacks get an unused reader. */
export function readers(mapping: Mapping, stageLabels?: ReadonlyMap<string, string>): Readers {
  const { contact, user, appointment, document, claim, documentCategory } = {
    ...defaultMapping,
    ...mapping,
  }
  return {
    contact: reader('contact', contact, (record): ContactRow => {
      const { fields } = contact
      return {
        ...commonFields(record),
        portalUserId: lower(record[fields.portalUserId]),
        firstName: text(record[fields.firstName]),
        lastName: text(record[fields.lastName]),
        email: lower(record[fields.email]),
        phone: text(record[fields.phone]),
        street: text(record[fields.street]),
        city: text(record[fields.city]),
        state: nameOfState(text(record[fields.state]), fields.state === STATE_CODE),
        zip: text(record[fields.zip]),
        caseManagerId: text(record[fields.caseManager]),
        boxFolderId: text(record[fields.boxFolderId]),
        deceased: flag(record[fields.deceased]),
        masterId: text(record['MasterRecordId']),
      }
    }),
    user: reader('user', user, (record): UserRow => {
      const { fields } = user
      return {
        ...commonFields(record),
        name: text(record[fields.name]) ?? '',
        email: lower(record[fields.email]),
        phone: text(record[fields.phone]),
      }
    }),
    appointment: reader('appointment', appointment, (record): AppointmentRow => {
      const { fields, values } = appointment
      const contactId = text(record[fields.contact])
      const date = validDate(record[fields.date])
      const time = timeOfDay(record[fields.time])
      const { deleted, ...row } = commonFields(record)
      return {
        ...row,
        // Incomplete appointments cannot be shown.
        deleted: deleted || contactId === null || date === null || time === null,
        contactId: contactId ?? '',
        date: date ?? '1970-01-01',
        time: time ?? '00:00',
        clinicName: text(record[fields.clinicName]),
        clinicPhone: text(record[fields.clinicPhone]),
        scheduled: record[fields.status] === values.status.scheduled,
      }
    }),
    document: reader('document', document, (record): DocumentRow => {
      const { fields, values } = document
      const contactId = text(record[fields.contact])
      const { deleted, ...row } = commonFields(record)
      return {
        ...row,
        deleted: deleted || contactId === null,
        contactId: contactId ?? '',
        portalDocumentId: text(record[fields.portalDocumentId]),
        name: text(record[fields.name]) ?? '',
        type: text(record[fields.type]),
        boxFileId: text(record[fields.boxFileId]),
        lastUploadedAt: timestamp(record[fields.lastUploadedAt]),
        dueDate: validDate(record[fields.dueDate]),
        reason: text(record[fields.reason]),
        status: statusOf(values.status, record[fields.status]),
        statusReason: text(record[fields.statusReason]),
      }
    }),
    claim: reader('claim', claim, (record): ClaimRow => {
      const { fields } = claim
      const contactId = text(record[fields.contact])
      const stage = text(record[fields.stage])
      const { deleted, ...row } = commonFields(record)
      return {
        ...row,
        // Incomplete claims cannot be shown.
        deleted: deleted || contactId === null || stage === null,
        contactId: contactId ?? '',
        title: text(record[fields.title]),
        stage: stage ?? '',
        stageLabel: text(stageLabels?.get(stage ?? '')) ?? stage ?? '',
        stageSince: timestamp(record[fields.stageSince]),
        stageReason: text(record[fields.stageReason]),
        nextStep: text(record[fields.nextStep]),
        closed: record[fields.closed] === true,
      }
    }),
    documentCategory: reader(
      'documentCategory',
      documentCategory,
      (record): DocumentCategoryRow => {
        const { fields } = documentCategory
        return {
          ...commonFields(record),
          name: text(record[fields.name]) ?? '',
          sort: integer(record[fields.sort]),
        }
      },
    ),
  }
}

/** The standard objects whose rows can be merged. */
const MERGEABLE = new Set(['Account', 'Contact', 'Lead'])

function reader<Row>(
  kind: Kind,
  { object, fields }: { object: string; fields: Record<string, string> },
  row: (record: RawRecord) => Row,
): Reader<Row> {
  const isConfiguration = object.endsWith('__mdt')
  // Salesforce users are deactivated, never deleted.
  const hasDeleted = !isConfiguration && object !== 'User'
  const system = [
    'Id',
    'SystemModstamp',
    ...(hasDeleted ? ['IsDeleted'] : []),
    ...(MERGEABLE.has(object) ? ['MasterRecordId'] : []),
  ]
  return {
    object,
    fields: [...new Set([...system, ...readableFields(kind, fields).map(([, theirs]) => theirs)])],
    hasDeleted,
    isConfiguration,
    row,
  }
}

export function versionOf(record: RawRecord): Version {
  const { id, modifiedAt } = commonFields(record)
  return { id, modifiedAt }
}

function commonFields(record: RawRecord): { id: string; modifiedAt: string; deleted: boolean } {
  const { Id: id, SystemModstamp: modstamp, IsDeleted: deleted } = record
  const modifiedAt = timestamp(modstamp)
  if (typeof id !== 'string' || modifiedAt === null) throw unreadable()
  return { id, modifiedAt, deleted: deleted === true }
}

/** In UTF-16 units. In any script this is less than the 2,704 bytes that fit into a PostgreSQL index entry. */
const MAX_TEXT = 600

/** Makes the text storable: one value that PostgreSQL refuses would block its page and all later ones. */
function text(raw: unknown): string | null {
  if (typeof raw !== 'string') return null
  return truncate(raw.replaceAll('\0', ''), MAX_TEXT).toWellFormed() || null
}

/** Null for a value that the mapping does not name. */
function statusOf(
  values: Record<CrmDocumentStatus, string>,
  raw: unknown,
): CrmDocumentStatus | null {
  const found = Object.entries(values).find(([, value]) => value === raw)
  return (found?.[0] as CrmDocumentStatus | undefined) ?? null
}

/** The portal shows the name, as staff write it in orgs without codes. */
function nameOfState(state: string | null, isCode: boolean): string | null {
  if (!isCode) return state
  return STATES.find(({ code }) => code === state)?.name ?? state
}

const flag = (raw: unknown): boolean | null => (typeof raw === 'boolean' ? raw : null)

function lower(raw: unknown): string | null {
  return text(raw)?.toLowerCase() ?? null
}

/** The CRM writes `+0000` instead of `Z`. Null if PostgreSQL cannot store the time. */
function timestamp(raw: unknown): string | null {
  const time = Date.parse(text(raw)?.replace(/\+0000$/, 'Z') ?? '')
  const iso = Number.isNaN(time) ? '' : new Date(time).toISOString()
  return /^(?!0000)\d{4}-/.test(iso) ? iso : null
}

/** Null for dates that do not exist, such as 31 February. */
function validDate(raw: unknown): string | null {
  const date = text(raw)
  return date !== null && timestamp(date)?.slice(0, 10) === date ? date : null
}

function timeOfDay(raw: unknown): string | null {
  return /^([01]\d|2[0-3]):[0-5]\d/.exec(text(raw) ?? '')?.[0] ?? null
}

const MAX_INTEGER = 2 ** 31 - 1

function integer(raw: unknown): number {
  const truncated = Math.trunc(Number(raw))
  return Math.min(Math.max(truncated || 0, -MAX_INTEGER - 1), MAX_INTEGER)
}
