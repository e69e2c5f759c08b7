import { STATUS_CODES } from 'node:http'
import type { Endpoint } from '@guidon/contract/endpoint'
import { endpoints } from '@guidon/contract/endpoints'
import { refusalBody } from '@guidon/contract/refusal'
import { z } from 'zod'
import type { ZodMiniType } from 'zod/mini'

const jsonSchema = (schema: ZodMiniType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { target: 'draft-2020-12', io })

const content = (schema: ZodMiniType, io: 'input' | 'output') => ({
  content: { 'application/json': { schema: jsonSchema(schema, io) } },
})

function operation(id: string, endpoint: Endpoint) {
  const status = endpoint.status ?? (endpoint.response ? 200 : 204)
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return {
    operationId: id,
    description: `Session: ${endpoint.session}${endpoint.roles ? ` (${endpoint.roles.join(', ')})` : ''}. Without a message of the server, screens show: “${endpoint.failure}”`,
    parameters: names.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(endpoint.body && { requestBody: { required: true, ...content(endpoint.body, 'input') } }),
    responses: {
      [status]: {
        description: STATUS_CODES[status],
        ...(endpoint.response && content(endpoint.response, 'output')),
      },
      default: { description: 'Refused or failed', ...content(refusalBody, 'output') },
    },
  }
}

/** Describes the contract as OpenAPI. */
export function openApi(name: string, version: string) {
  const paths: Record<string, Record<string, object>> = {}
  for (const [id, endpoint] of Object.entries(endpoints)) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(id, endpoint),
    }
  }
  return { openapi: '3.1.0', info: { title: `${name} API`, version }, paths }
}
