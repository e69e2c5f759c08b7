import { getCrmRefusals } from '@guidon/contract/crm-refusals'
import {
  deactivateUser,
  getActivity,
  listUsers,
  reactivateUser,
  resetUserPassword,
  updateUser,
} from '@guidon/contract/manage-users'
import type { FastifyInstance } from 'fastify'
import { bind } from '../../http/bind.ts'
import type { Activity } from './activity.ts'
import type { Listing } from './listing.ts'
import type { ManageAccount } from './manage-account.ts'

export interface ManageUsers {
  listing: Listing
  manageAccount: ManageAccount
  activity: Activity
}

export function manageUsersRoutes(
  app: FastifyInstance,
  { listing, manageAccount, activity }: ManageUsers,
): void {
  bind(app, listUsers, ({ user, query }) => listing.list(user.id, query))
  bind(app, updateUser, ({ user, params, body }) => manageAccount.update(user, params.id, body))
  bind(app, deactivateUser, ({ user, params }) => manageAccount.deactivate(user, params.id))
  bind(app, reactivateUser, ({ user, params }) => manageAccount.reactivate(user, params.id))
  bind(app, getCrmRefusals, ({ user, params }) => manageAccount.crmRefusals(user, params.id))
  bind(app, resetUserPassword, ({ user, params, body }) =>
    manageAccount.resetPassword(user, params.id, body.newPassword),
  )
  bind(app, getActivity, ({ user }) => activity.listOf(user.id))
}
