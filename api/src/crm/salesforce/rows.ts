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

export type Wire = Record<string, unknown>

export interface Reader<Row> {
  object: string
  /** What a query has to select. */
  fields: string[]
  /** Whether deleted rows are kept in a bin, and shown from there. */
  hasBin: boolean
  /** Configuration: few rows, no trace of deleted ones, and no order by time. */
  isWhole: boolean
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
      const date = text(wire[fields.date])
      const time = text(wire[fields.time])
      const { deleted, ...row } = common(wire)
      return {
        ...row,
        // Without a veteran, a day and an hour there is nothing to show.
        deleted: deleted || contactId === null || date === null || time === null,
        contactId: contactId ?? '',
        date: date ?? '1970-01-01',
        time: (time ?? '00:00').slice(0, 5),
        clinicName: text(wire[fields.clinicName]),
        clinicPhone: text(wire[fields.clinicPhone]),
        scheduled: wire[fields.status] === values.status.scheduled,
      }
    }),
    document: reader(document, (wire): DocumentRow => {
      const { fields } = document
      const contactId = text(wire[fields.contact])
      const uploaded = text(wire[fields.lastUploadedAt])
      const { deleted, ...row } = common(wire)
      return {
        ...row,
        deleted: deleted || contactId === null,
        contactId: contactId ?? '',
        portalDocumentId: text(wire[fields.portalDocumentId]),
        name: text(wire[fields.name]) ?? '',
        type: text(wire[fields.type]),
        boxFileId: text(wire[fields.boxFileId]),
        lastUploadedAt: uploaded === null ? null : moment(uploaded),
      }
    }),
    documentCategory: reader(documentCategory, (wire): DocumentCategoryRow => {
      const { fields } = documentCategory
      return {
        ...common(wire),
        name: text(wire[fields.name]) ?? '',
        sort: Number(wire[fields.sort] ?? 0),
      }
    }),
  }
}

function reader<Row>(
  { object, fields }: { object: string; fields: Record<string, string> },
  row: (wire: Wire) => Row,
): Reader<Row> {
  const isWhole = object.endsWith('__mdt')
  // Users are made inactive and never deleted; one who left is shown until somebody else is assigned.
  const hasBin = !isWhole && object !== 'User'
  const system = ['Id', 'SystemModstamp', ...(hasBin ? ['IsDeleted'] : [])]
  return {
    object,
    fields: [...new Set([...system, ...Object.values(fields)])],
    hasBin,
    isWhole,
    row,
  }
}

function common(wire: Wire): { id: string; modifiedAt: string; deleted: boolean } {
  const { Id: id, SystemModstamp: stamp, IsDeleted: deleted } = wire
  if (typeof id !== 'string' || typeof stamp !== 'string') throw unreadable()
  return { id, modifiedAt: moment(stamp), deleted: deleted === true }
}

function text(raw: unknown): string | null {
  return typeof raw === 'string' && raw !== '' ? raw : null
}

function lower(raw: unknown): string | null {
  return text(raw)?.toLowerCase() ?? null
}

/** The CRM writes `+0000` where everybody else writes `Z`. */
function moment(raw: string): string {
  const time = Date.parse(raw.replace(/\+0000$/, 'Z'))
  if (Number.isNaN(time)) throw unreadable()
  return new Date(time).toISOString()
}
