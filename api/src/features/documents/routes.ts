import {
  getDocumentCategories,
  getDocuments,
  getDocumentsOf,
  replaceDocument,
  uploadDocument,
} from '@guidon/contract/documents'
import { sendFromPhone } from '@guidon/contract/hand-off'
import type { FastifyInstance } from 'fastify'
import { bind } from '../../http/bind.ts'
import { refuseInput } from '../../http/refuse.ts'
import type { Calls } from '../feature.ts'
import type { Documents } from './documents.ts'
import { withReceived } from './receive/receive.ts'
import type { Receiving } from './receive/receive.ts'
import type { Uploads } from './upload.ts'

export interface DocumentParts {
  documents: Documents
  uploads: Uploads
  receiving: Receiving
  calls: Pick<Calls, 'withHandOff'>
}

export function documentRoutes(app: FastifyInstance, parts: DocumentParts): void {
  const { documents, uploads, receiving, calls } = parts
  bind(app, getDocuments, ({ user }) => documents.listOf(user.id))
  bind(app, getDocumentsOf, ({ user, params }) => documents.ofVeteran(params.id, user))
  bind(app, getDocumentCategories, () => documents.categories())
  bind(app, uploadDocument, ({ user, request, reply }) =>
    withReceived(request, { userId: user.id }, receiving, async (file) => {
      const form = uploadDocument.form.safeParse(file.fields)
      if (!form.success) throw refuseInput(form.error.issues)
      const { document, isNew } = await uploads.add(user.id, file, form.data)
      if (!isNew) reply.status(200)
      return document
    }),
  )
  bind(app, replaceDocument, ({ user, params, request }) =>
    withReceived(request, { userId: user.id }, receiving, async (file) => {
      const form = replaceDocument.form.safeParse(file.fields)
      if (!form.success) throw refuseInput(form.error.issues)
      return uploads.replace(user.id, params.id, file, form.data)
    }),
  )
  bind(app, sendFromPhone, ({ phoneToken, request }) =>
    calls.withHandOff(phoneToken, (handOff) =>
      withReceived(request, handOff, receiving, async (file) => {
        const { sha256 } = file
        if (handOff.hasArrived(sha256)) return
        await uploads.add(handOff.userId, file, {
          ...handOff,
          fromPhone: (tx, documentId) => handOff.markArrived(tx, documentId, sha256),
        })
      }),
    ),
  )
}
