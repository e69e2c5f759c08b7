import { commaList } from '../../comma-list.ts'
import type { Org } from '../data/org.ts'
import type { Row } from '../data/row.ts'
import { notFound, apiError } from '../errors.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import { resolve } from '../soql/path.ts'
import { recordOf, VERSION } from '../soql/project.ts'
import { objectBody } from './call.ts'
import type { Call, Reply, Route } from './call.ts'

export function objectOf(org: Org, name: string): ObjectSchema {
  const object = org.schema.object(name)
  if (object === undefined) throw notFound()
  return object
}

export function writable(org: Org, name: string): ObjectSchema {
  const object = objectOf(org, name)
  if (object.readOnly !== true && object.name !== 'User') return object
  const message = `entity type ${object.name} does not support create, update or delete`
  throw apiError(400, 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY', message)
}

export function externalKey(org: Org, object: ObjectSchema, name: string): Field {
  const field = org.schema.field(object, name)
  if (field?.externalId === true) return field
  const message = `Provided external ID field does not exist or is not accessible: ${name}`
  throw apiError(404, 'NOT_FOUND', message)
}

/** Creates, reads, updates, deletes and upserts single rows. */
export function sobjectRoutes(org: Org): Route[] {
  function show(object: ObjectSchema, row: Row, { query }: Call): Reply {
    const fields = query.get('fields')
    const names = fields === null ? object.fields.map(({ name }) => name) : commaList(fields)
    const paths = names.map((name) => resolve(org, object, name))
    return { status: 200, body: recordOf(org, object, row, paths) }
  }

  function create({ body }: Call, name = ''): Reply {
    const object = writable(org, name)
    const { id } = org.create(object, objectBody(body))
    return {
      status: 201,
      body: { id, success: true, errors: [] },
      headers: { Location: `/services/data/${VERSION}/sobjects/${object.name}/${id}` },
    }
  }

  function upsert({ body }: Call, name = '', key = '', value = ''): Reply {
    const object = writable(org, name)
    const field = externalKey(org, object, key)
    const input = objectBody(body)
    if (Object.keys(input).some((given) => given.toLowerCase() === field.name.toLowerCase())) {
      const message = `The ${field.name} field should not be specified in the sobject data.`
      throw apiError(400, 'INVALID_FIELD', message)
    }
    const { row, created } = org.upsert(object, field, decodeURIComponent(value), input)
    const status = created ? 201 : 200
    return { status, body: { id: row.id, success: true, errors: [], created } }
  }

  function byKey(object: ObjectSchema, key: string, value: string): Row {
    const row = org.byKey(object, externalKey(org, object, key), decodeURIComponent(value))
    if (row === undefined) throw notFound()
    return row
  }

  return [
    { method: 'POST', pattern: /^\/sobjects\/(\w+)\/?$/, kind: 'create', handle: create },
    {
      method: 'GET',
      pattern: /^\/sobjects\/(\w+)\/(\w{15,18})$/,
      kind: 'get',
      handle(call, name = '', id = '') {
        const object = objectOf(org, name)
        return show(object, org.get(object, id), call)
      },
    },
    {
      method: 'GET',
      pattern: /^\/sobjects\/(\w+)\/(\w+__c)\/([^/]+)$/,
      kind: 'get',
      handle(call, name = '', key = '', value = '') {
        const object = objectOf(org, name)
        return show(object, byKey(object, key, value), call)
      },
    },
    {
      method: 'PATCH',
      pattern: /^\/sobjects\/(\w+)\/(\w{15,18})$/,
      kind: 'update',
      handle({ body }, name = '', id = '') {
        org.update(writable(org, name), id, objectBody(body))
        return { status: 204 }
      },
    },
    {
      method: 'PATCH',
      pattern: /^\/sobjects\/(\w+)\/(\w+)\/([^/]+)$/,
      kind: 'upsert',
      handle: upsert,
    },
    {
      method: 'DELETE',
      pattern: /^\/sobjects\/(\w+)\/(\w{15,18})$/,
      kind: 'delete',
      handle(_, name = '', id = '') {
        org.remove(writable(org, name), id)
        return { status: 204 }
      },
    },
  ]
}
