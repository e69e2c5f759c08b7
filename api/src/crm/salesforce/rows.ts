import type {
  AppointmentRow,
  ContactRow,
  DocumentCategoryRow,
  DocumentRow,
  Kind,
  RowOf,
  UserRow,
} from '../port.ts'
import type { Mapping } from './default-mapping.ts'
import { unreadable } from './errors.ts'
import { cut } from './fields.ts'

export type Wire = Record<string, unknown>

export interface Reader<Row> {
  object: string
  fields: string[]
  /** Whether queries can return deleted rows from the recycle bin. */
  hasDeleted: boolean
  /** Custom metadata: few rows, no deleted ones, and no order by time, so all are read at once. */
  isConfiguration: boolean
  row(wire: Wire): Row
}

export type Readers = { [K in Kind]: Reader<RowOf[K]> }

export function readers(mapping: Mapping): Readers {
  const { contact, user, appointment, document, documentCategory } = mapping
  return {
    contact: reader(contact, (wire): ContactRow => {
      const { fields } = contact
      return {
        ...common(wire),
        portalUserId: lower(wire[fields.portalUserId]),
        firstName: text(wire[fields.firstName]),
        lastName: text(wire[fields.lastName]),
        email: lower(wire[fields.email]),
        phone: text(wire[fields.phone]),
        street: text(wire[fields.street]),
        city: text(wire[fields.city]),
        state: text(wire[fields.state]),
        zip: text(wire[fields.zip]),
        caseManagerId: text(wire[fields.caseManager]),
        boxFolderId: text(wire[fields.boxFolderId]),
      }
    }),
    user: reader(user, (wire): UserRow => {
      const { fields } = user
      return {
        ...common(wire),
        name: text(wire[fields.name]) ?? '',
        email: lower(wire[fields.email]),
        phone: text(wire[fields.phone]),
      }
    }),
    appointment: reader(appointment, (wire): AppointmentRow => {
      const { fields, values } = appointment
      const contactId = text(wire[fields.contact])
      const date = day(wire[fields.date])
      const time = hour(wire[fields.time])
      const { deleted, ...row } = common(wire)
      return {
        ...row,
        // Incomplete appointments cannot be shown.
        deleted: deleted || contactId === null || date === null || time === null,
        contactId: contactId ?? '',
        date: date ?? '1970-01-01',
        time: time ?? '00:00',
        clinicName: text(wire[fields.clinicName]),
        clinicPhone: text(wire[fields.clinicPhone]),
        scheduled: wire[fields.status] === values.status.scheduled,
      }
    }),
    document: reader(document, (wire): DocumentRow => {
      const { fields } = document
      const contactId = text(wire[fields.contact])
      const { deleted, ...row } = common(wire)
      return {
        ...row,
        deleted: deleted || contactId === null,
        contactId: contactId ?? '',
        portalDocumentId: text(wire[fields.portalDocumentId]),
        name: text(wire[fields.name]) ?? '',
        type: text(wire[fields.type]),
        boxFileId: text(wire[fields.boxFileId]),
        lastUploadedAt: moment(wire[fields.lastUploadedAt]),
      }
    }),
    documentCategory: reader(documentCategory, (wire): DocumentCategoryRow => {
      const { fields } = documentCategory
      return {
        ...common(wire),
        name: text(wire[fields.name]) ?? '',
        sort: integer(wire[fields.sort]),
      }
    }),
  }
}

function reader<Row>(
  { object, fields }: { object: string; fields: Record<string, string> },
  row: (wire: Wire) => Row,
): Reader<Row> {
  const isConfiguration = object.endsWith('__mdt')
  // Salesforce users are deactivated, never deleted.
  const hasDeleted = !isConfiguration && object !== 'User'
  const system = ['Id', 'SystemModstamp', ...(hasDeleted ? ['IsDeleted'] : [])]
  return {
    object,
    fields: [...new Set([...system, ...Object.values(fields)])],
    hasDeleted,
    isConfiguration,
    row,
  }
}

function common(wire: Wire): { id: string; modifiedAt: string; deleted: boolean } {
  const { Id: id, SystemModstamp: stamp, IsDeleted: deleted } = wire
  const modifiedAt = moment(stamp)
  if (typeof id !== 'string' || modifiedAt === null) throw unreadable()
  return { id, modifiedAt, deleted: deleted === true }
}

/** Below the 2,704 bytes of a PostgreSQL index entry, in any script. */
const MAX_TEXT = 600

/** Makes the text storable: one value that PostgreSQL refuses would block its page and all later ones. */
function text(raw: unknown): string | null {
  if (typeof raw !== 'string') return null
  return cut(raw.replaceAll('\0', ''), MAX_TEXT).toWellFormed() || null
}

function lower(raw: unknown): string | null {
  return text(raw)?.toLowerCase() ?? null
}

/** The CRM writes `+0000` instead of `Z`. Null if PostgreSQL cannot store the time. */
function moment(raw: unknown): string | null {
  const time = Date.parse(text(raw)?.replace(/\+0000$/, 'Z') ?? '')
  const iso = Number.isNaN(time) ? '' : new Date(time).toISOString()
  return /^(?!0000)\d{4}-/.test(iso) ? iso : null
}

/** Null for dates that do not exist, such as 31 February. */
function day(raw: unknown): string | null {
  const date = text(raw)
  return date !== null && moment(date)?.slice(0, 10) === date ? date : null
}

function hour(raw: unknown): string | null {
  return /^([01]\d|2[0-3]):[0-5]\d/.exec(text(raw) ?? '')?.[0] ?? null
}

const MAX_INTEGER = 2 ** 31 - 1

function integer(raw: unknown): number {
  const whole = Math.trunc(Number(raw))
  return Math.min(Math.max(whole || 0, -MAX_INTEGER - 1), MAX_INTEGER)
}
