import { isDeepStrictEqual } from 'node:util'
import { fullId } from '../data/ids.ts'
import type { Org } from '../data/org.ts'
import type { Input } from '../data/prepare.ts'
import { notFound, problem } from '../problem.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import { textOf } from '../text.ts'

export type Order = Record<string, unknown>

interface Done {
  id: string
  /** Whose page shows it. */
  contactId?: string
}

type Action = (org: Org, order: Order) => Done

/** What the provider's staff do in their own screens. */
export const ACTIONS: Record<string, Action> = {
  'assign-case-manager': (org, { contactId, userId }) =>
    change(org, contactId, { Case_Manager__c: blank(userId) }),
  'add-appointment': (org, order) =>
    add(org, 'Appointment__c', { Veteran__c: order['contactId'], ...appointment(order) }),
  'change-appointment': (org, order) => change(org, order['appointmentId'], appointment(order)),
  'cancel-appointment': (org, { appointmentId }) =>
    change(org, appointmentId, { Status__c: 'Canceled' }),
  'request-document': (org, { contactId, name, type }) =>
    add(org, 'Document_Request__c', {
      Veteran__c: contactId,
      Name: name ?? type,
      Document_Type__c: type,
    }),
  'edit-contact': (org, { contactId, ...fields }) => change(org, contactId, fields),
  'add-contact': (org, fields) => add(org, 'Contact', fields),
  'add-user': (org, fields) => add(org, 'User', { IsActive: true, ...fields }),
  'add-row': (org, { object, ...fields }) => add(org, String(object), fields),
  'change-row': (org, { id, ...fields }) => change(org, id, fields),
  'delete-row': (org, { id }) => {
    const object = objectOfId(org, id)
    const { values } = org.get(object, String(id))
    org.remove(object, String(id))
    const contactId = values['Veteran__c']
    return { id: String(id), ...(typeof contactId === 'string' ? { contactId } : {}) }
  },
}

function appointment(order: Order): Input {
  const named = {
    Appointment_Date__c: order['date'],
    Appointment_Time__c: order['time'],
    Clinic_Name__c: order['clinicName'],
    Clinic_Phone__c: order['clinicPhone'],
    Status__c: order['status'],
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

function add(org: Org, name: string, fields: Input): Done {
  const object = org.schema.object(name)
  if (object === undefined) throw notFound()
  const { id } = org.create(object, fields)
  return { id, contactId: object.name === 'Contact' ? id : textOf(fields['Veteran__c']) }
}

function change(org: Org, id: unknown, fields: Input): Done {
  const object = objectOfId(org, id)
  if (isDeepStrictEqual(fields, {})) throw problem(400, 'INVALID_INPUT', 'Nothing to change')
  const row = org.update(object, String(id), fields)
  return { id: row.id, contactId: String(row.values['Veteran__c'] ?? row.id) }
}

function objectOfId(org: Org, id: unknown): ObjectSchema {
  const object = fullId(String(id)) === undefined ? undefined : org.schema.ofId(String(id))
  if (object === undefined) throw problem(404, 'NOT_FOUND', `There is no row ${String(id)}`)
  return object
}

function blank(value: unknown): unknown {
  return value === '' || value === undefined ? null : value
}
