import { getCaseVersion } from '@guidon/contract/case-activity'
import type { TestApp } from '../../../support/boot.ts'
import { userIdOf } from '../../../support/databases.ts'
import { mailbox } from '../../../support/mailbox.ts'
import type { TestClient } from '../../../support/test-client.ts'
import type { Model, Session, Tokens } from './model.ts'

/** The real API, as the two browsers of a model use it. */
export function portal(testApp: TestApp, admin: { email: string }) {
  const { newClient, withSession, sql } = testApp

  /** Moves all times of the account back, as if the minutes had passed. */
  async function moveBack({ email }: Model, minutes: number): Promise<void> {
    const back = (...columns: string[]) =>
      columns.map((column) => `${column} = ${column} - make_interval(secs => $2)`).join(', ')
    const account = '(select id from users where email = $1)'
    for (const statement of [
      // Only those that have not ended: `stopClock` moves times forward, which could reopen the others.
      `update challenges set
         ${back('created_at', 'sent_at', 'code_expires_at', 'expires_at', 'consumed_at')}
         where (user_id = ${account} or sign_up_id in (select id from sign_ups where email = $1))
           and expires_at > now()`,
      `update session_tokens set ${back('access_expires_at')} where session_id in
         (select id from sessions where user_id = ${account})`,
      `update sessions set ${back('last_seen_at', 'expires_at')} where user_id = ${account}`,
      `update reset_tokens set ${back('expires_at', 'used_at')} where user_id = ${account}`,
    ]) {
      await sql.query(statement, [email, minutes * 60])
    }
  }

  return {
    /** A client with the cookies that the model's browser has, even if the server has cleared them. */
    clientOf({ browsers }: Model, number: 0 | 1): TestClient {
      const { device, challenge, session } = browsers[number]
      const client = newClient()
      if (device) client.cookies.set('guidon-device', device)
      if (challenge) client.cookies.set('guidon-challenge', challenge.token)
      if (session) {
        client.cookies.set('guidon-access', session.tokens.access)
        client.cookies.set('guidon-refresh', session.tokens.refresh)
      }
      return client
    },

    newClient,

    /** Not staff, who may not make an account active again. */
    administrator: () => withSession(admin),

    idOf: ({ email }: Model) => userIdOf(sql, email),

    /** Runs `request`, which causes an email with a code, and returns the code. */
    async codeAfter({ email }: Model, request: () => Promise<unknown>): Promise<string> {
      const nextCode = await mailbox.nextCode(email)
      await request()
      return nextCode()
    },

    /** Limits have proofs of their own, and here would refuse most requests of a long sequence. */
    clearLimits: () => sql.query('delete from limits'),

    passMinutes: moveBack,

    /** Undoes the real time since the last step, so that only the model's clock counts. */
    async stopClock(model: Model): Promise<void> {
      const now = Date.now()
      await moveBack(model, (model.movedAt - now) / 60_000)
      model.movedAt = now
    },

    /** Whether a request with the session's access token is served. It does not count as use of the session. */
    async isServed({ tokens }: Session): Promise<boolean> {
      const client = newClient()
      client.cookies.set('guidon-access', tokens.access)
      return (await client.call(getCaseVersion, {})).status === 200
    },

    async countLiveSessions({ email }: Model): Promise<number> {
      const { rows } = await sql.query<{ count: number }>(
        `select count(*)::int as count from sessions join users on users.id = user_id
         where email = $1 and is_active and revoked_at is null and expires_at > now()
           and last_seen_at > now() - idle_limit`,
        [email],
      )
      return rows[0]!.count
    },
  }
}

export type Portal = ReturnType<typeof portal>

export const tokensOf = ({ cookies }: TestClient): Tokens => ({
  access: cookies.get('guidon-access') ?? '',
  refresh: cookies.get('guidon-refresh') ?? '',
})
