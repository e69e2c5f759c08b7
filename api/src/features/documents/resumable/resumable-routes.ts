import type { IncomingHttpHeaders } from 'node:http'
import { pathOf } from '@guidon/contract/endpoint'
import {
  appendToUpload,
  createUpload,
  deleteUpload,
  finishUpload,
  getUnfinishedUploads,
  getUploadOffset,
  PART_TYPE,
  TUS_VERSION,
  UPLOAD_METADATA,
  wrongVersion,
} from '@guidon/contract/resumable-uploads'
import type { UploadMetadata } from '@guidon/contract/resumable-uploads'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bind } from '../../../http/bind.ts'
import { refuse } from '../../../http/refuse.ts'
import { mediaTypeOf } from '../../../http/request-bounds.ts'
import { BadRequest } from '../receive/receive.ts'
import { bodyOf } from './append.ts'
import type { Body } from './append.ts'
import type { ResumableUploads } from './resumable.ts'

/** The endpoints of the tus protocol, and two of our own: the list and `finish`. */
export function resumableRoutes(app: FastifyInstance, uploads: ResumableUploads): void {
  app.addContentTypeParser(PART_TYPE, (_request, raw, done) => done(null, bodyOf(raw)))
  bind(app, getUnfinishedUploads, ({ user }) => uploads.listOf(user.id))
  bind(
    app,
    createUpload,
    async ({ user, request: { headers }, reply }) => {
      const size = numberIn(headers, 'upload-length')
      const { id, expiresAt } = await uploads.create(user.id, size, metadataIn(headers))
      reply.header('location', pathOf(getUploadOffset, { id }))
      reply.header('upload-expires', expiresAt.toUTCString())
    },
    { onRequest: tus },
  )
  bind(
    app,
    getUploadOffset,
    async ({ user, params, reply }) => {
      const { size, received, expiresAt } = await uploads.find(user.id, params.id)
      reply.header('upload-offset', received).header('upload-length', size)
      reply.header('upload-expires', expiresAt.toUTCString())
    },
    { onRequest: tus },
  )
  bind(
    app,
    appendToUpload,
    async ({ user, params, request: { headers, body }, reply }) => {
      if (mediaTypeOf({ headers }) !== PART_TYPE) throw new WrongType('not a part of a file')
      if (!isBody(body)) throw new BadRequest('no body')
      const offset = numberIn(headers, 'upload-offset')
      const length = 'content-length' in headers ? Number(headers['content-length']) : undefined
      const upload = await uploads.append(user.id, params.id, { body, offset, length })
      reply.header('upload-offset', upload.received)
      reply.header('upload-expires', upload.expiresAt.toUTCString())
    },
    { onRequest: tus },
  )
  bind(app, deleteUpload, ({ user, params }) => uploads.delete(user.id, params.id), {
    onRequest: tus,
  })
  bind(app, finishUpload, async ({ user, params, request: { headers }, reply }) => {
    const { filename } = metadataIn(headers)
    const { document, isNew } = await uploads.finish(user.id, params.id, filename)
    if (!isNew) reply.status(200)
    return document
  })
}

/** Every response names the version of the protocol, and every request has to. */
async function tus({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('tus-resumable', TUS_VERSION)
  if (headers['tus-resumable'] === TUS_VERSION) return
  reply.header('tus-version', TUS_VERSION)
  throw refuse(wrongVersion)
}

class WrongType extends Error {
  override name = 'WrongType'
  readonly statusCode = 415
}

/** Enough as a check: a request of type `PART_TYPE` has no body, or the one that its parser above made. */
const isBody = (body: unknown): body is Body => body !== undefined

function numberIn(headers: IncomingHttpHeaders, name: string): number {
  const text = headers[name]
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) throw new BadRequest(`wrong ${name}`)
  return Number(text)
}

/** Pairs of a name and a value in Base64; names that we do not know are ignored. */
function metadataIn(headers: IncomingHttpHeaders): UploadMetadata {
  const text = String(headers['upload-metadata'] ?? '')
  const pairs = text.split(',').map((pair) => pair.trim().split(' '))
  const known = UPLOAD_METADATA.flatMap((name) => {
    const pair = pairs.find(([key]) => key === name)
    return pair ? [[name, Buffer.from(pair[1] ?? '', 'base64').toString()]] : []
  })
  return Object.fromEntries(known) as UploadMetadata
}
