import { getCaseActivity, getCaseVersion } from '@guidon/contract/case-activity'
import { getClaims } from '@guidon/contract/claims'
import type { Stage } from '@guidon/contract/stages'
import { getProgressOf, getTodo } from '@guidon/contract/todo'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/database.ts'
import { bind } from '../../http/bind.ts'
import { activityRows } from './activity.sql.ts'
import { toCaseEvent } from './case-event.ts'
import { toClaim } from './claim-view.ts'
import { claimRows } from './claims.sql.ts'
import { progress } from './progress.ts'
import { todoOf } from './todo.sql.ts'
import { versionOf } from './version.sql.ts'

export function caseProgressRoutes(
  app: FastifyInstance,
  db: Database,
  stages: readonly Stage[],
): void {
  const claimsOf = async (userId: string) =>
    (await claimRows(db, userId)).map((row) => toClaim(row, stages))
  const { ofVeteran } = progress(db, claimsOf)

  bind(app, getTodo, ({ user }) => todoOf(db, user.id))
  bind(app, getClaims, ({ user }) => claimsOf(user.id))
  bind(app, getCaseActivity, async ({ user }) =>
    (await activityRows(db, user.id)).map((row) => toCaseEvent(row, stages)),
  )
  bind(app, getCaseVersion, ({ user }) => versionOf(db, user.id))
  bind(app, getProgressOf, ({ user, params }) => ofVeteran(user, params.id))
}
