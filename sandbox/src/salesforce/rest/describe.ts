import type { Org } from '../data/org.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'
import { VERSION } from '../soql/project.ts'
import type { Route } from './call.ts'
import { objectOf } from './sobjects.ts'

/** Describes objects and fields in Salesforce's format. The portal checks its field mapping with it when it starts. */
export function describeRoutes(org: Org): Route[] {
  return [
    {
      method: 'GET',
      pattern: /^\/sobjects\/?$/,
      kind: 'describe',
      handle: () => ({ status: 200, body: describeGlobal(org.schema) }),
    },
    {
      method: 'GET',
      pattern: /^\/sobjects\/(\w+)\/describe\/?$/,
      kind: 'describe',
      handle: (_, name = '') => ({
        status: 200,
        body: describeObject(org.schema, objectOf(org, name)),
      }),
    },
  ]
}

function describeGlobal(schema: Schema) {
  return { encoding: 'UTF-8', maxBatchSize: 200, sobjects: schema.objects.map(summaryOf) }
}

function summaryOf(object: ObjectSchema) {
  const { name, label, keyPrefix } = object
  const writable = object.readOnly !== true && name !== 'User'
  const path = `/services/data/${VERSION}/sobjects/${name}`
  return {
    name,
    label,
    keyPrefix,
    custom: /__(c|mdt)$/.test(name),
    createable: writable,
    updateable: writable,
    deletable: writable,
    queryable: true,
    retrieveable: true,
    urls: { sobject: path, describe: `${path}/describe`, rowTemplate: `${path}/{ID}` },
  }
}

function describeObject(schema: Schema, object: ObjectSchema) {
  const visible = object.fields.filter((field) => !schema.isHidden(object, field))
  return { ...summaryOf(object), fields: visible.map(describeField) }
}

function describeField(field: Field) {
  return {
    name: field.name,
    label: field.label,
    type: field.type,
    custom: field.name.endsWith('__c'),
    length: field.length ?? 0,
    precision: field.precision ?? 0,
    scale: field.scale ?? 0,
    nillable: field.required !== true && field.type !== 'boolean' && field.readOnly !== true,
    unique: field.unique ?? false,
    externalId: field.externalId ?? false,
    idLookup: field.name === 'Id' || field.externalId === true,
    createable: field.readOnly !== true,
    updateable: field.readOnly !== true,
    filterable: true,
    sortable: true,
    restrictedPicklist: field.picklist !== undefined && field.openPicklist !== true,
    picklistValues: (field.picklist ?? []).map(({ value, label, isDefault }) => ({
      active: true,
      defaultValue: isDefault,
      label,
      validFor: null,
      value,
    })),
    referenceTo: field.references === undefined ? [] : [field.references],
    relationshipName: field.relationship ?? null,
    cascadeDelete: field.masterDetail ?? false,
  }
}
