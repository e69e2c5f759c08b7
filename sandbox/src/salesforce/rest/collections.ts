import { commaList } from '../../comma-list.ts'
import type { Org } from '../data/org.ts'
import { ApiError, apiError } from '../errors.ts'
import type { ErrorEntry } from '../errors.ts'
import { textOf } from '../text.ts'
import { objectBody } from './call.ts'
import type { Call, Reply, Route } from './call.ts'
import { externalKey, writable } from './sobjects.ts'

const MAX_RECORDS = 200

type Fields = Record<string, unknown>
interface Outcome {
  id?: string
  success: boolean
  created?: boolean
  errors: (Omit<ErrorEntry, 'errorCode'> & { statusCode: string })[]
}

/** Writes up to 200 rows in one call, each with its own outcome, or all or none of them. */
export function collectionRoutes(org: Org, countRecords: (count: number) => void): Route[] {
  function each({ body }: Call, work: (record: Fields) => Outcome): Reply {
    const { records, allOrNone = false } = objectBody(body)
    if (!Array.isArray(records)) throw apiError(400, 'JSON_PARSER_ERROR', 'records is required')
    return run(records as Fields[], allOrNone === true, work)
  }

  function run<Item>(items: Item[], allOrNone: boolean, work: (item: Item) => Outcome): Reply {
    if (items.length > MAX_RECORDS) {
      const message = `record limit reached. cannot submit more than ${MAX_RECORDS} records in this collection`
      throw apiError(400, 'EXCEEDED_ID_LIMIT', message)
    }
    countRecords(items.length)
    const outcomes: Outcome[] = []
    try {
      org.atomically(() => {
        for (const item of items) outcomes.push(attempt(() => work(item)))
        if (allOrNone && outcomes.some(({ success }) => !success)) throw new RolledBack()
      })
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error
      const message =
        'Record rolled back because not all records were valid and the request was using AllOrNone header'
      const halted = {
        success: false,
        errors: [{ statusCode: 'ALL_OR_NONE_OPERATION_ROLLED_BACK', message, fields: [] }],
      }
      return { status: 200, body: outcomes.map((outcome) => (outcome.success ? halted : outcome)) }
    }
    return { status: 200, body: outcomes }
  }

  const typeOf = ({ attributes }: Fields) =>
    writable(org, textOf((attributes as { type?: unknown } | undefined)?.type))

  return [
    {
      method: 'PATCH',
      pattern: /^\/composite\/sobjects\/(\w+)\/(\w+)$/,
      kind: 'collection',
      handle: (call, name = '', key = '') => {
        const object = writable(org, name)
        const field = externalKey(org, object, key)
        return each(call, ({ [field.name]: value, ...input }) => {
          if (value === undefined || value === null || value === '') {
            throw apiError(400, 'MISSING_ARGUMENT', `${field.name} not specified`)
          }
          const { row, created } = org.upsert(object, field, textOf(value), input)
          return { id: row.id, success: true, created, errors: [] }
        })
      },
    },
    {
      method: 'POST',
      pattern: /^\/composite\/sobjects\/?$/,
      kind: 'collection',
      handle: (call) =>
        each(call, (record) => {
          const { id } = org.create(typeOf(record), record)
          return { id, success: true, errors: [] }
        }),
    },
    {
      method: 'PATCH',
      pattern: /^\/composite\/sobjects\/?$/,
      kind: 'collection',
      handle: (call) =>
        each(call, ({ id, Id = id, ...input }) => {
          const row = org.update(typeOf(input), String(Id), input)
          return { id: row.id, success: true, errors: [] }
        }),
    },
    {
      method: 'DELETE',
      pattern: /^\/composite\/sobjects\/?$/,
      kind: 'collection',
      handle: ({ query }) =>
        run(commaList(query.get('ids') ?? ''), query.get('allOrNone') === 'true', (id) => {
          org.remove(writable(org, org.schema.ofId(id)?.name ?? ''), id)
          return { id, success: true, errors: [] }
        }),
    },
  ]
}

class RolledBack extends Error {}

function attempt(work: () => Outcome): Outcome {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const errors = error.errors.map(({ errorCode, message, fields = [] }) => ({
      statusCode: errorCode,
      message,
      fields,
    }))
    return { success: false, errors }
  }
}
