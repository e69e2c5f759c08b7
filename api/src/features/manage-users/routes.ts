import { getCrmRefusals } from '@guidon/contract/crm-refusals'
import {
  deactivateUser,
  getActivity,
  listUsers,
  reactivateUser,
  resetUserPassword,
  updateUser,
} from '@guidon/contract/manage-users'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { bind } from '../../http/bind.ts'
import type { Activity } from './activity.ts'
import type { Listing } from './listing.ts'
import type { ManageAccount } from './manage-account.ts'

export interface ManageUsers {
  listing: Listing
  manageAccount: ManageAccount
  activity: Activity
  /** Whether listings may come from a replica, which has a write only a moment later. */
  hasReplica: boolean
}

export function manageUsersRoutes(
  app: FastifyInstance,
  { listing, manageAccount, activity, hasReplica }: ManageUsers,
): void {
  const cookies = app.guidonCookies
  /** Marks the write in a cookie, because the next request may reach another process. */
  const marked = async <T>(reply: FastifyReply, write: Promise<T>): Promise<T> => {
    const result = await write
    if (hasReplica) cookies.setWrote(reply)
    return result
  }
  bind(app, listUsers, ({ user, query, request }) =>
    listing.list(user.id, query, { afterOwnWrite: cookies.read(request, 'wrote') !== undefined }),
  )
  bind(app, updateUser, ({ user, params, body, reply }) =>
    marked(reply, manageAccount.update(user, params.id, body)),
  )
  bind(app, deactivateUser, ({ user, params, reply }) =>
    marked(reply, manageAccount.deactivate(user, params.id)),
  )
  bind(app, reactivateUser, ({ user, params, reply }) =>
    marked(reply, manageAccount.reactivate(user, params.id)),
  )
  bind(app, getCrmRefusals, ({ user, params }) => manageAccount.crmRefusals(user, params.id))
  bind(app, resetUserPassword, ({ user, params, body }) =>
    manageAccount.resetPassword(user, params.id, body.newPassword),
  )
  bind(app, getActivity, ({ user }) => activity.ofAccount(user.id))
}
