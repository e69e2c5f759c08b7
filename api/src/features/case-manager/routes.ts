import { getCaseManager } from '@guidon/contract/case-manager'
import type { FastifyInstance } from 'fastify'
import { caseManagerOf } from '../../db/dashboard.ts'
import type { Database } from '../../db/database.ts'
import { bind } from '../../http/bind.ts'

export function caseManagerRoutes(app: FastifyInstance, db: Database): void {
  bind(app, getCaseManager, async ({ user }) => ({
    caseManager: (await caseManagerOf(db, user.id)) ?? null,
  }))
}
