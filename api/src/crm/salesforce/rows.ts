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
      const date = day(wire[fields.date])
      const time = hour(wire[fields.time])
      const { deleted, ...row } = common(wire)
      return {
        ...row,
        // Without a veteran, a day and an hour there is nothing to show.
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
  const modifiedAt = moment(stamp)
  if (typeof id !== 'string' || modifiedAt === null) throw unreadable()
  return { id, modifiedAt, deleted: deleted === true }
}

/** In any script shorter than the 2,704 bytes that PostgreSQL takes into an index. */
const LONGEST_TEXT = 600

/** As a column of text takes it. One value that it refuses would keep the whole page out, and all behind it. */
function text(raw: unknown): string | null {
  if (typeof raw !== 'string') return null
  return cut(raw.replaceAll('\0', ''), LONGEST_TEXT).toWellFormed() || null
}

function lower(raw: unknown): string | null {
  return text(raw)?.toLowerCase() ?? null
}

/** The CRM writes `+0000` where everybody else writes `Z`. None where PostgreSQL has no such time. */
function moment(raw: unknown): string | null {
  const time = Date.parse(text(raw)?.replace(/\+0000$/, 'Z') ?? '')
  const iso = Number.isNaN(time) ? '' : new Date(time).toISOString()
  return /^(?!0000)\d{4}-/.test(iso) ? iso : null
}

/** Only a day that there is: 31 February is none. */
function day(raw: unknown): string | null {
  const given = text(raw)
  return given !== null && moment(given)?.slice(0, 10) === given ? given : null
}

function hour(raw: unknown): string | null {
  return /^([01]\d|2[0-3]):[0-5]\d/.exec(text(raw) ?? '')?.[0] ?? null
}

const LARGEST_INTEGER = 2 ** 31 - 1

function integer(raw: unknown): number {
  const whole = Math.trunc(Number(raw))
  return Math.min(Math.max(whole || 0, -LARGEST_INTEGER - 1), LARGEST_INTEGER)
}
