import {
  decideLink,
  getLinkToConfirm,
  listLinksToConfirm,
  previewContact,
  reportNotMe,
} from '@guidon/contract/links'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/database.ts'
import { bind } from '../../http/bind.ts'
import { requireRecentSignIn } from '../../http/require-recent-sign-in.ts'
import type { LinksToConfirm } from './links-to-confirm.ts'

interface Parts {
  db: Database
  linksToConfirm: LinksToConfirm
  notMe(token: string): Promise<void>
}

export function linkingRoutes(app: FastifyInstance, { db, linksToConfirm, notMe }: Parts): void {
  bind(app, listLinksToConfirm, ({ user }) => linksToConfirm.list(user))
  bind(app, getLinkToConfirm, ({ user, params }) => linksToConfirm.details(user, params.id))
  bind(app, decideLink, async ({ user, sessionId, params, body }) => {
    await requireRecentSignIn(db, { sessionId })
    await linksToConfirm.decide(user, params.id, body)
  })
  bind(app, previewContact, ({ user, params, query }) =>
    linksToConfirm.preview(user, params.id, query.salesforceId),
  )
  bind(app, reportNotMe, ({ body }) => notMe(body.token))
}
