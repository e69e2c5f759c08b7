import { getAppointments } from '@guidon/contract/appointments'
import { getCaseActivity, getCaseVersion } from '@guidon/contract/case-activity'
import { getCaseManager } from '@guidon/contract/case-manager'
import { getClaims } from '@guidon/contract/claims'
import { getUserInfo } from '@guidon/contract/profile'
import { notFound } from '@guidon/contract/refusal'
import type { Stage } from '@guidon/contract/stages'
import { getProgressOf, getTodo } from '@guidon/contract/todo'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/database.ts'
import { bind } from '../../http/bind.ts'
import { refuse } from '../../http/refuse.ts'
import { activityRows } from './activity.sql.ts'
import { toCaseEvent } from './case-event.ts'
import { toClaim } from './claim-view.ts'
import { claimRows } from './claims.sql.ts'
import { caseManagerOf, upcomingAppointments, userInfoOf } from './person.sql.ts'
import { progress } from './progress.ts'
import { todoOf } from './todo.sql.ts'
import { versionOf } from './version.sql.ts'

export function caseRoutes(app: FastifyInstance, db: Database, stages: readonly Stage[]): void {
  const claimsOf = async (userId: string) =>
    (await claimRows(db, userId)).map((row) => toClaim(row, stages))
  const { ofVeteran } = progress(db, claimsOf)

  bind(app, getUserInfo, async ({ user }) => {
    const info = await userInfoOf(db, user.id)
    if (!info) throw refuse(notFound)
    return info
  })
  bind(app, getCaseManager, async ({ user }) => ({
    caseManager: (await caseManagerOf(db, user.id)) ?? null,
  }))
  bind(app, getAppointments, ({ user }) => upcomingAppointments(db, user.id))
  bind(app, getTodo, ({ user }) => todoOf(db, user.id))
  bind(app, getClaims, ({ user }) => claimsOf(user.id))
  bind(app, getCaseActivity, async ({ user }) =>
    (await activityRows(db, user.id)).map((row) => toCaseEvent(row, stages)),
  )
  bind(app, getCaseVersion, ({ user }) => versionOf(db, user.id))
  bind(app, getProgressOf, ({ user, params }) => ofVeteran(user, params.id))
}
