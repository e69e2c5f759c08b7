import type { CrmOperation } from '../port.ts'
import type { Mapping } from './default-mapping.ts'
import { hasCode } from './errors.ts'
import {
  addressFields,
  contactFields,
  contactRequestFields,
  documentFields,
  intakeFields,
} from './fields.ts'
import { checkedId, checkedUuid, relationshipOf } from './soql.ts'

type Fields = Record<string, unknown>

/** Other ways to write the same, for orgs and rows that refuse the first one. */
export interface Variant {
  /** Some orgs refuse the parent for a row that already exists. */
  withoutParent?: true
  /** The row of the provider's request was deleted: store the veteran's document as a new row. */
  asNewRow?: true
  /** The org may refuse what a veteran wrote, which is optional. */
  withoutNote?: true
  /** The org refuses the status, too, which is also optional. */
  withoutOptional?: true
}

/** One record of a collection. */
export interface CollectionRecord {
  /** Of the collection that the record belongs to. */
  path: string
  /** Occurs once in a collection. */
  key: string
  fields: Fields
}

export type WriteOperation = CrmOperation<
  | 'upsertContact'
  | 'linkContact'
  | 'setAddress'
  | 'setBoxFolder'
  | 'upsertContactRequest'
  | 'upsertIntake'
  | 'upsertDocument'
>

export const UPDATES = '/composite/sobjects'

export function recordOf(
  mapping: Mapping,
  operation: WriteOperation,
  variant: Variant,
): CollectionRecord {
  const { contact, contactRequest, intake, document } = mapping
  switch (operation.kind) {
    case 'upsertContact':
      return upsert(
        contact.object,
        contact.fields.portalUserId,
        operation.contact.userId,
        contactFields(mapping, operation.contact),
      )
    case 'linkContact':
      return update(contact.object, operation.contactId, {
        [contact.fields.portalUserId]: checkedUuid(operation.userId),
      })
    case 'setAddress':
      return update(contact.object, operation.contactId, addressFields(mapping, operation.address))
    case 'setBoxFolder':
      return update(contact.object, operation.contactId, {
        [contact.fields.boxFolderId]: operation.boxFolderId,
      })
    case 'upsertContactRequest':
      return upsert(
        contactRequest.object,
        contactRequest.fields.portalRequestId,
        operation.request.requestId,
        {
          ...contactRequestFields(mapping, operation.request),
          ...parentOf(contactRequest.fields.contact, operation.request.userId),
        },
      )
    case 'upsertIntake':
      return upsert(intake.object, intake.fields.portalIntakeId, operation.intake.intakeId, {
        ...intakeFields(mapping, operation.intake),
        ...parentOf(intake.fields.contact, operation.intake.userId),
      })
    case 'upsertDocument': {
      const { documentId, crmId, userId } = operation.document
      const fields = documentFields(mapping, operation.document, variant)
      const key = document.fields.portalDocumentId
      if (crmId !== undefined && !variant.asNewRow) {
        return update(document.object, crmId, { ...fields, [key]: checkedUuid(documentId) })
      }
      const parent = parentOf(document.fields.contact, userId)
      return upsert(document.object, key, documentId, { ...fields, ...parent })
    }
  }

  function parentOf(field: string, userId: string): Fields {
    if (variant.withoutParent) return {}
    return { [relationshipOf(field)]: { [contact.fields.portalUserId]: checkedUuid(userId) } }
  }
}

function upsert(object: string, field: string, value: string, fields: Fields): CollectionRecord {
  return {
    path: `${UPDATES}/${object}/${field}`,
    key: checkedUuid(value),
    fields: { attributes: { type: object }, [field]: value, ...fields },
  }
}

function update(object: string, id: string, fields: Fields): CollectionRecord {
  const key = checkedId(id)
  return { path: UPDATES, key, fields: { attributes: { type: object }, id: key, ...fields } }
}

const PARENT_REFUSED = 'INVALID_FIELD_FOR_INSERT_UPDATE'
/** Possibly because of the status or the note. */
const OPTIONAL_REFUSED = [
  PARENT_REFUSED,
  'FIELD_CUSTOM_VALIDATION_EXCEPTION',
  'INVALID_FIELD',
  'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
  'STRING_TOO_LONG',
]
const ROW_GONE = ['ENTITY_IS_DELETED', 'NOT_FOUND', 'INVALID_CROSS_REFERENCE_KEY']
const WITH_PARENT = new Set<string>(['upsertContactRequest', 'upsertIntake', 'upsertDocument'])

/** Another way to write the record after this failure; undefined if there is none. */
export function nextVariant(
  mapping: Mapping,
  operation: WriteOperation,
  variant: Variant,
  failure: Error,
): Variant | undefined {
  const isDocument = operation.kind === 'upsertDocument'
  if (isDocument && operation.document.crmId && !variant.asNewRow) {
    if (hasCode(failure, ...ROW_GONE)) return { ...variant, asNewRow: true }
  } else if (
    WITH_PARENT.has(operation.kind) &&
    !variant.withoutParent &&
    hasCode(failure, PARENT_REFUSED)
  ) {
    return { ...variant, withoutParent: true }
  }
  if (!isDocument || variant.withoutOptional || !hasCode(failure, ...OPTIONAL_REFUSED)) {
    return undefined
  }
  const hasNote = mapping.document.fields.note !== undefined
  const less = hasNote && !variant.withoutNote ? 'withoutNote' : 'withoutOptional'
  // Not `withoutParent`: a new row must have a parent, and an optional field may have been the only cause.
  return { ...(variant.asNewRow && { asNewRow: true }), [less]: true }
}
