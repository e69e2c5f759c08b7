import {
  deactivateUser,
  getActivity,
  listUsers,
  resetUserPassword,
  updateUser,
} from '@guidon/contract/manage-users'
import type { FastifyInstance } from 'fastify'
import { bind } from '../../http/bind.ts'
import type { Activity } from './activity.ts'
import type { Listing } from './listing.ts'
import type { Managing } from './manage-account.ts'

export interface ManageUsers {
  listing: Listing
  managing: Managing
  activity: Activity
}

export function manageUsersRoutes(
  app: FastifyInstance,
  { listing, managing, activity }: ManageUsers,
): void {
  bind(app, listUsers, ({ user, query }) => listing.list(user.id, query))
  bind(app, updateUser, ({ user, params, body }) => managing.update(user, params.id, body))
  bind(app, deactivateUser, ({ user, params }) => managing.deactivate(user, params.id))
  bind(app, resetUserPassword, ({ user, params, body }) =>
    managing.resetPassword(user, params.id, body.newPassword),
  )
  bind(app, getActivity, ({ user }) => activity.of(user.id))
}
