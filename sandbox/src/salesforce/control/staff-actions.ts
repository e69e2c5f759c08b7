import { fullId } from '../data/ids.ts'
import type { Org } from '../data/org.ts'
import type { Input } from '../data/validate.ts'
import { notFound, apiError } from '../errors.ts'
import type { ObjectSchema } from '../schema/schema.ts'

export type ActionFields = Record<string, unknown>

/** Returns the id of the row. */
type Action = (org: Org, fields: ActionFields) => { id: string }

/** What the provider's staff do in Salesforce. */
export const ACTIONS: Record<string, Action> = {
  'assign-case-manager': (org, { contactId, userId }) =>
    change(org, contactId, { Case_Manager__c: nullIfEmpty(userId) }),
  'add-appointment': (org, fields) =>
    add(org, 'Appointment__c', { Veteran__c: fields['contactId'], ...appointment(fields) }),
  'change-appointment': (org, fields) => change(org, fields['appointmentId'], appointment(fields)),
  'cancel-appointment': (org, { appointmentId }) =>
    change(org, appointmentId, { Status__c: 'Canceled' }),
  'request-document': (org, { contactId, name, type, ...fields }) =>
    add(org, 'Document_Request__c', {
      Veteran__c: contactId,
      Name: name ?? type,
      Document_Type__c: type,
      ...document(fields),
    }),
  'change-document': (org, { documentId, ...fields }) => change(org, documentId, document(fields)),
  'add-claim': (org, { contactId, ...fields }) =>
    add(org, 'Claim__c', { Veteran__c: contactId, ...claim(fields) }),
  'change-claim': (org, { claimId, ...fields }) => change(org, claimId, claim(fields)),
  'edit-contact': (org, { contactId, ...fields }) => change(org, contactId, fields),
  'merge-contacts': (org, { contactId, loserId }) =>
    org.merge(objectOfId(org, contactId), String(contactId), String(loserId)),
  'add-contact': (org, fields) => add(org, 'Contact', fields),
  'add-user': (org, fields) => add(org, 'User', { IsActive: true, ...fields }),
  'add-row': (org, { object, ...fields }) => add(org, String(object), fields),
  'change-row': (org, { id, ...fields }) => change(org, id, fields),
  'delete-row': (org, { id }) => {
    org.remove(objectOfId(org, id), String(id))
    return { id: String(id) }
  },
}

function document(fields: ActionFields): Input {
  return withoutUndefined({
    Due_Date__c: fields['dueDate'],
    Reason__c: fields['reason'],
    Status__c: fields['status'],
    Status_Reason__c: fields['statusReason'],
  })
}

function claim(fields: ActionFields): Input {
  const { closed, since } = fields
  return withoutUndefined({
    Name: fields['title'],
    Stage__c: fields['stage'],
    // A form has the time without seconds and zone.
    Stage_Since__c: /T\d\d:\d\d$/.test(String(since)) ? `${String(since)}:00Z` : since,
    Stage_Reason__c: fields['reason'],
    Next_Step__c: fields['nextStep'],
    Closed__c: closed === undefined ? undefined : closed === true || closed === 'yes',
  })
}

function appointment(fields: ActionFields): Input {
  return withoutUndefined({
    Appointment_Date__c: fields['date'],
    Appointment_Time__c: fields['time'],
    Clinic_Name__c: fields['clinicName'],
    Clinic_Phone__c: fields['clinicPhone'],
    Status__c: fields['status'],
  })
}

function withoutUndefined(values: Input): Input {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

function add(org: Org, name: string, fields: Input): { id: string } {
  const object = org.schema.object(name)
  if (object === undefined) throw notFound()
  return org.create(object, fields)
}

function change(org: Org, id: unknown, fields: Input): { id: string } {
  const object = objectOfId(org, id)
  if (Object.keys(fields).length === 0) {
    throw apiError(400, 'INVALID_INPUT', 'There is nothing to change')
  }
  return org.update(object, String(id), fields)
}

function objectOfId(org: Org, id: unknown): ObjectSchema {
  const object = fullId(String(id)) === undefined ? undefined : org.schema.ofId(String(id))
  if (object === undefined) throw apiError(404, 'NOT_FOUND', `There is no row ${String(id)}`)
  return object
}

function nullIfEmpty(value: unknown): unknown {
  return value === '' || value === undefined ? null : value
}
