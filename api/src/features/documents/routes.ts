import { getDocumentCategories, getDocuments, getDocumentsOf } from '@guidon/contract/documents'
import type { FastifyInstance } from 'fastify'
import { bind } from '../../http/bind.ts'
import type { Documents } from './documents.ts'

export function documentRoutes(app: FastifyInstance, documents: Documents): void {
  bind(app, getDocuments, ({ user }) => documents.of(user.id))
  bind(app, getDocumentsOf, ({ user, params }) => documents.ofVeteran(params.id, user))
  bind(app, getDocumentCategories, () => documents.categories())
}
