import {
  getDeliveriesOf,
  getEmailReachable,
  getNoticePreferences,
  getNoticePreferencesByToken,
  setNoticePreference,
  setNoticePreferenceByToken,
  unsubscribe,
} from '@guidon/contract/notices'
import type { FastifyInstance } from 'fastify'
import { bind } from '../../http/bind.ts'
import type { StaffDeliveries } from './deliveries.ts'
import type { LimitTurningOn } from './limit-turning-on.ts'
import type { Preferences } from './preferences.ts'

/** Enough for `List-Unsubscribe=One-Click`, also as a multipart form. */
const ONE_CLICK_BYTES_MAX = 8 * 1024

interface Parts {
  preferences: Preferences
  deliveries: StaffDeliveries
  limitTurningOn: LimitTurningOn
}

export function noticesRoutes(
  app: FastifyInstance,
  { preferences, deliveries, limitTurningOn }: Parts,
): void {
  bind(app, getNoticePreferences, ({ user }) => preferences.of(user.id))
  bind(app, setNoticePreference, async ({ user, body }) => {
    if (body.on) await limitTurningOn.bySession(user.id)
    return preferences.set(user.id, body)
  })
  bind(app, getNoticePreferencesByToken, ({ query }) => preferences.byToken(query.token))
  bind(app, setNoticePreferenceByToken, async ({ body: { token, ...change } }) => {
    if (change.on) await limitTurningOn.byLink(token)
    return preferences.setByToken(token, change)
  })
  bind(app, getEmailReachable, ({ user, params }) => deliveries.emailReachable(user, params.id))
  bind(app, getDeliveriesOf, ({ user, params }) => deliveries.ofAccount(user, params.id))
  // In its own scope, because no other route accepts a form of another site. The body is always the same (RFC 8058).
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const options = { parseAs: 'buffer', bodyLimit: ONE_CLICK_BYTES_MAX } as const
    scope.addContentTypeParser('*', options, (_request, _body, done) => done(null))
    bind(scope, unsubscribe, ({ query }) => preferences.unsubscribe(query.token))
  })
}
