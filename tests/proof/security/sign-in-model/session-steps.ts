import { checkAuth, logout, refresh } from '@guidon/contract/auth'
import { deactivateUser, reactivateUser } from '@guidon/contract/manage-users'
import { changePassword, forgotPassword, resetPassword } from '@guidon/contract/password'
import { retryWhileBusy } from '../../../support/concurrency.ts'
import { resetTokenFor, resetWith } from '../../../support/reset-link.ts'
import { endSignIns, isAccepted, isLive, isUsable, nextPassword } from './model.ts'
import { tokensOf } from './portal.ts'
import { requireStatus } from './sentences.ts'
import { hasSession, sessionOf } from './step.ts'
import type { Step } from './step.ts'

/** The sums of them are at least a minute from every time limit, because a step takes time, too. */
const MINUTES = [6.5, 6.5, 13, 32.5, 721.5]

export const sessionSteps = {
  'forgets the password': {
    weight: 2,
    when: () => true,
    run: async (model, portal, browser) => {
      const client = portal.clientOf(model, browser)
      if (model.account === 'active') {
        const token = await resetTokenFor(client, model.email)
        model.links.push({ token, at: model.clock, isVoid: false })
      } else {
        const response = await client.call(forgotPassword, { body: { email: model.email } })
        requireStatus(response, 202)
      }
    },
  },

  'resets the password by a link': {
    weight: 3,
    when: ({ links }) => links.length > 0,
    run: async (model, portal, browser, pick) => {
      const link = model.links[model.links.length - 1 - (pick % Math.min(model.links.length, 2))]!
      const password = nextPassword(model)
      const client = portal.clientOf(model, browser)
      const request = resetWith(link.token, password)
      const response = await retryWhileBusy(() => client.call(resetPassword, request))
      if (!isUsable(model, link)) {
        requireStatus(response, 400, 'a used or expired link sets no password')
        return
      }
      requireStatus(response, 204)
      model.password = password
      model.browsers[browser].device = client.cookies.get('guidon-device')
      endSignIns(model, 'after a reset every earlier session is refused')
    },
  },

  'changes the password': {
    weight: 2,
    when: hasSession,
    run: async (model, portal, browser) => {
      const session = sessionOf(model, browser)
      const newPassword = nextPassword(model)
      const body = { currentPassword: model.password, newPassword, confirmPassword: newPassword }
      const client = portal.clientOf(model, browser)
      const response = await retryWhileBusy(() => client.call(changePassword, { body }))
      if (!isAccepted(model, session)) {
        requireStatus(response, 401, 'without a session no password is changed')
        return
      }
      requireStatus(response, 204)
      session.seenAt = model.clock
      model.password = newPassword
      endSignIns(model, 'after a change of the password every other session is refused', session)
    },
  },

  refreshes: {
    weight: 3,
    when: hasSession,
    run: async (model, portal, browser) => {
      const session = sessionOf(model, browser)
      const client = portal.clientOf(model, browser)
      const response = await client.call(refresh, {})
      if (!isLive(model, session)) {
        requireStatus(response, 401, session.ended ?? 'an expired session is not extended')
        return
      }
      requireStatus(response, 204)
      session.retiredRefresh = session.previousRefresh
      session.previousRefresh = session.tokens.refresh
      session.tokens = tokensOf(client)
      session.issuedAt = model.clock
      session.seenAt = model.clock
    },
  },

  'refreshes with a retired token': {
    weight: 2,
    when: ({ browsers }, browser) => browsers[browser].session?.retiredRefresh !== undefined,
    run: async (model, portal, browser) => {
      const session = sessionOf(model, browser)
      const client = portal.newClient()
      client.cookies.set('guidon-refresh', session.retiredRefresh!)
      requireStatus(await client.call(refresh, {}), 401, 'a retired refresh token is refused')
      if (isLive(model, session)) session.ended = 'a retired refresh token ends its session'
    },
  },

  'uses the portal': {
    weight: 2,
    when: hasSession,
    run: async (model, portal, browser) => {
      const session = sessionOf(model, browser)
      const response = await portal.clientOf(model, browser).call(checkAuth, {})
      const accepted = isAccepted(model, session)
      requireStatus(response, accepted ? 200 : 401, session.ended ?? 'only a session is served')
      if (accepted) session.seenAt = model.clock
    },
  },

  'logs out': {
    weight: 1,
    when: hasSession,
    run: async (model, portal, browser) => {
      const response = await portal.clientOf(model, browser).call(logout, {})
      requireStatus(response, 204)
      sessionOf(model, browser).ended ??= 'after log out the next request is refused'
      // The session stays in the model, as if somebody had copied its cookies.
      model.browsers[browser].challenge = undefined
    },
  },

  'is deactivated by staff': {
    weight: 1,
    when: ({ account }) => account === 'active',
    run: async (model, portal) => {
      const params = { id: await portal.idOf(model) }
      const response = await (await portal.administrator()).call(deactivateUser, { params })
      requireStatus(response, 204)
      model.account = 'deactivated'
      endSignIns(
        model,
        'a deactivated account has no session, and gets none back when it is reactivated',
      )
    },
  },

  'is reactivated by staff': {
    weight: 3,
    when: ({ account }) => account === 'deactivated',
    run: async (model, portal) => {
      const params = { id: await portal.idOf(model) }
      const response = await (await portal.administrator()).call(reactivateUser, { params })
      requireStatus(response, 200)
      model.account = 'active'
    },
  },

  'lets time pass': {
    weight: 3,
    when: () => true,
    run: async (model, portal, _browser, pick) => {
      const minutes = MINUTES[pick % MINUTES.length]!
      await portal.passMinutes(model, minutes)
      model.clock += minutes
    },
  },
} satisfies Record<string, Step>
