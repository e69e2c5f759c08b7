import { notFound } from '@guidon/contract/refusal'
import { getContent, getContentOf } from '@guidon/contract/viewing'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bind } from '../../../http/bind.ts'
import { refuse } from '../../../http/refuse.ts'
import type { Content, View, Viewing } from './viewing.ts'

/**
 * For veterans, their own documents; for staff, those of any veteran. `viewing` is undefined if the provider has not
 * switched it on.
 */
export function viewingRoutes(app: FastifyInstance, viewing: Viewing | undefined): void {
  const available = () => viewing ?? refuseAll()
  bind(app, getContent, ({ user, params, query, request, reply }) =>
    send(reply, (closed) => available().own(user, viewOf(request, params.id, query.as, closed))),
  )
  bind(app, getContentOf, ({ user, params, query, request, reply }) =>
    send(reply, (closed) =>
      available().ofVeteran(user, params.userId, viewOf(request, params.id, query.as, closed)),
    ),
  )
}

function refuseAll(): never {
  throw refuse(notFound)
}

/** HEAD only checks: Fastify runs the route of GET for it, which would read the whole file. */
function viewOf(
  { method }: FastifyRequest,
  id: string,
  as: View['as'] = 'download',
  closed: AbortSignal,
): View {
  return { id, as: method === 'HEAD' ? 'check' : as, closed }
}

async function send(
  reply: FastifyReply,
  open: (closed: AbortSignal) => Promise<Content | undefined>,
) {
  const client = new AbortController()
  reply.raw.once('close', () => client.abort())
  const content = await open(client.signal)
  if (!content) {
    reply.status(204)
    return undefined
  }
  reply.headers(content.headers)
  return content.bytes
}
