import type {
  OutgoingContact,
  OutgoingContactRequest,
  OutgoingDocument,
  OutgoingIntake,
} from '../port.ts'
import { composite } from './composite.ts'
import type { SalesforceConnection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import type { Mapping } from './default-mapping.ts'
import { hasCode, unreadable } from './errors.ts'
import { contactFields, contactRequestFields, documentFields, intakeFields } from './fields.ts'
import { queryPath } from './read.ts'
import type { QueryResult } from './read.ts'
import { checkedId, checkedUuid, idLiteral, relationshipOf, textLiteral } from './soql.ts'

type Fields = Record<string, unknown>

export interface Writes {
  upsertContact(contact: OutgoingContact, deadline: Deadline): Promise<string>
  linkContact(contactId: string, userId: string, deadline: Deadline): Promise<void>
  unlinkContact(contactId: string, userId: string, deadline: Deadline): Promise<void>
  setBoxFolder(contactId: string, boxFolderId: string, deadline: Deadline): Promise<void>
  upsertContactRequest(request: OutgoingContactRequest, deadline: Deadline): Promise<string>
  upsertIntake(intake: OutgoingIntake, deadline: Deadline): Promise<string>
  upsertDocument(document: OutgoingDocument, deadline: Deadline): Promise<string>
}

export function writes(connection: SalesforceConnection, mapping: Mapping): Writes {
  const { contact, contactRequest, intake, document } = mapping
  const { portalUserId } = contact.fields
  const contactPath = (id: string) => `/sobjects/${contact.object}/${checkedId(id)}`

  async function upsert(
    object: string,
    key: string,
    value: string,
    body: Fields,
    deadline: Deadline,
  ): Promise<string> {
    const path = `/sobjects/${object}/${key}/${checkedUuid(value)}`
    const response = await connection.send<{ id?: unknown }>(
      { method: 'PATCH', path, body },
      deadline,
    )
    if (typeof response.body?.id !== 'string') throw unreadable()
    return checkedId(response.body.id)
  }

  async function upsertUnder(
    { object, fields }: { object: string; fields: { contact: string } },
    key: string,
    value: string,
    row: { userId: string; body: Fields },
    deadline: Deadline,
  ): Promise<string> {
    const veteran = { [contact.fields.portalUserId]: checkedUuid(row.userId) }
    const parent = { [relationshipOf(fields.contact)]: veteran }
    try {
      return await upsert(object, key, value, { ...row.body, ...parent }, deadline)
    } catch (error) {
      // Some orgs refuse the parent for a row that already exists.
      if (!hasCode(error, 'INVALID_FIELD_FOR_INSERT_UPDATE')) throw error
      return upsert(object, key, value, row.body, deadline)
    }
  }

  async function contactsWithUserId(userId: string, deadline: Deadline): Promise<string[]> {
    const where = `${portalUserId} = ${textLiteral(checkedUuid(userId))}`
    const soql = `SELECT Id FROM ${contact.object} WHERE ${where} LIMIT 20`
    const { body } = await connection.send<QueryResult>(
      { method: 'GET', path: queryPath(soql, false) },
      deadline,
    )
    return body.records.map(({ Id }) => checkedId(String(Id)))
  }

  async function patch(path: string, body: Fields, deadline: Deadline): Promise<void> {
    await connection.send({ method: 'PATCH', path, body }, deadline)
  }

  return {
    upsertContact: (outgoing, deadline) =>
      upsert(
        contact.object,
        contact.fields.portalUserId,
        outgoing.userId,
        contactFields(mapping, outgoing),
        deadline,
      ),

    async linkContact(contactId, userId, deadline) {
      const contacts = await contactsWithUserId(userId, deadline)
      const others = contacts.filter((id) => id !== checkedId(contactId))
      if (others.length === 0 && contacts.length > 0) return
      const clear = others.map((id) => ({
        method: 'PATCH' as const,
        path: contactPath(id),
        body: { [portalUserId]: null },
      }))
      const set = {
        method: 'PATCH' as const,
        path: contactPath(contactId),
        body: { [portalUserId]: userId },
      }
      await composite(connection, deadline, [...clear, set])
    },

    async unlinkContact(contactId, userId, deadline) {
      if (!(await contactsWithUserId(userId, deadline)).includes(checkedId(contactId))) return
      await patch(contactPath(contactId), { [portalUserId]: null }, deadline)
    },

    async setBoxFolder(contactId, boxFolderId, deadline) {
      const field = contact.fields.boxFolderId
      const soql = `SELECT ${field} FROM ${contact.object} WHERE Id = ${idLiteral(contactId)}`
      const { body } = await connection.send<QueryResult>(
        { method: 'GET', path: queryPath(soql, false) },
        deadline,
      )
      if (body.records[0]?.[field]) return
      await patch(contactPath(contactId), { [field]: boxFolderId }, deadline)
    },

    upsertContactRequest: (outgoing, deadline) =>
      upsertUnder(
        contactRequest,
        contactRequest.fields.portalRequestId,
        outgoing.requestId,
        { userId: outgoing.userId, body: contactRequestFields(mapping, outgoing) },
        deadline,
      ),

    upsertIntake: (outgoing, deadline) =>
      upsertUnder(
        intake,
        intake.fields.portalIntakeId,
        outgoing.intakeId,
        { userId: outgoing.userId, body: intakeFields(mapping, outgoing) },
        deadline,
      ),

    async upsertDocument(outgoing, deadline) {
      const body = documentFields(mapping, outgoing)
      const key = document.fields.portalDocumentId
      const { documentId, userId, crmId } = outgoing
      if (crmId !== undefined) {
        const id = checkedId(crmId)
        const named = { ...body, [key]: checkedUuid(documentId) }
        try {
          await patch(`/sobjects/${document.object}/${id}`, named, deadline)
          return id
        } catch (error) {
          // The request was deleted meanwhile; store the veteran's document as a new row.
          if (!hasCode(error, 'ENTITY_IS_DELETED', 'NOT_FOUND')) throw error
        }
      }
      return upsertUnder(document, key, documentId, { userId, body }, deadline)
    },
  }
}
