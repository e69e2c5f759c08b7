import { getCaseManager } from '@guidon/contract/case-manager'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/database.ts'
import { bind } from '../../http/bind.ts'
import { caseManagerOf } from '../case/case-manager.sql.ts'

export function caseManagerRoutes(app: FastifyInstance, db: Database): void {
  bind(app, getCaseManager, async ({ user }) => ({
    caseManager: (await caseManagerOf(db, user.id)) ?? null,
  }))
}
