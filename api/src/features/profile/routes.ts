import { getUserInfo } from '@guidon/contract/profile'
import { notFound } from '@guidon/contract/refusal'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/database.ts'
import { bind } from '../../http/bind.ts'
import { refuse } from '../../http/refuse.ts'
import { userInfoOf } from '../case/profile.sql.ts'

export function profileRoutes(app: FastifyInstance, db: Database): void {
  bind(app, getUserInfo, async ({ user }) => {
    const info = await userInfoOf(db, user.id)
    if (!info) throw refuse(notFound)
    return info
  })
}
