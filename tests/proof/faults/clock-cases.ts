import { checkAuth, login, refresh, verifyLogin } from '@guidon/contract/auth'
import { forgotPassword, resetPassword } from '@guidon/contract/password'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import type { Sql } from '../../support/databases.ts'
import { PASSWORD } from '../../support/outside/account.ts'
import { resetWith } from '../../support/reset-link.ts'
import { TestClient } from '../../support/test-client.ts'

interface Parts {
  portal: string
  mailbox: string
  sql: Sql
  /** Each case has its own account. */
  nextEmail: () => string
}

/** A session, code or reset link that is made before a clock is shifted, and whether it is accepted afterwards. */
export interface Case {
  name: string
  isAccepted(): Promise<boolean>
}

const A_MINUTE_AGO = `now() - interval '1 minute'`

export function clockCases({ portal, mailbox: mailboxUrl, sql, nextEmail }: Parts) {
  const mailbox = new MailboxClient(mailboxUrl)
  const newClient = () => new TestClient(portal, portal)

  /** A sign-in whose code has arrived. */
  const begin = async () => {
    const email = nextEmail()
    const client = newClient()
    const { status } = await client.call(login, { body: { email, password: PASSWORD } })
    if (status !== 204) throw new Error(`the sign-in began with ${status}`)
    const code = await mailbox.codeFor(email, { waitMs: 60_000 })
    const isAccepted = async () => {
      const reply = await client.call(verifyLogin, { body: { email, code } })
      return reply.status === 200
    }
    return { email, client, isAccepted }
  }

  const signIn = async () => {
    const { email, client, isAccepted } = await begin()
    if (!(await isAccepted())) throw new Error('the code was refused')
    return { email, client, isAccepted: () => isLive(client) }
  }

  const resetLink = async () => {
    const email = nextEmail()
    await newClient().call(forgotPassword, { body: { email } })
    const [mail] = await mailbox.mailsTo(email, { subject: 'Reset', waitMs: 60_000 })
    const token = mail?.text.match(/\?token=([\w-]+)/)?.[1]
    if (!token) throw new Error('no reset link arrived')
    const isAccepted = async () => {
      const { status } = await newClient().call(resetPassword, resetWith(token))
      return status < 300
    }
    return { email, isAccepted }
  }

  const changed = async <Made extends { email: string }>(
    made: Promise<Made>,
    update: string,
  ): Promise<Made> => {
    const one = await made
    const owner = '(select id from users where email = $1)'
    const { rowCount } = await sql.query(`update ${update} where user_id = ${owner}`, [one.email])
    if (rowCount !== 1) throw new Error(`${rowCount} rows for: ${update}`)
    return one
  }

  const named = async (name: string, made: Promise<Omit<Case, 'name'>>): Promise<Case> => ({
    ...(await made),
    name,
  })

  return {
    signIn,
    live: () =>
      Promise.all([
        named('live session', signIn()),
        named('code that was just sent', begin()),
        named('reset link that was just sent', resetLink()),
      ]),
    /** They expired one minute plus this interval ago. */
    expired: (before = '0') => {
      const ago = `${A_MINUTE_AGO} - interval '${before}'`
      // After sending, the job may still extend the challenge to `code_expires_at`, so that must be in the past too.
      const challenge = `challenges set expires_at = ${ago}, code_expires_at = ${ago}`
      return Promise.all([
        named(
          'session at its absolute limit',
          changed(signIn(), `sessions set expires_at = ${ago}`),
        ),
        named('idle session', changed(signIn(), `sessions set last_seen_at = ${ago} - idle_limit`)),
        named('expired code', changed(begin(), `challenges set code_expires_at = ${ago}`)),
        named('expired challenge', changed(begin(), challenge)),
        named('expired reset link', changed(resetLink(), `reset_tokens set expires_at = ${ago}`)),
      ])
    },
    /** They were ended by an event, not by time. */
    revokedOrUsed: () =>
      Promise.all([
        named('revoked session', changed(signIn(), `sessions set revoked_at = ${A_MINUTE_AGO}`)),
        named(
          'used reset link',
          changed(resetLink(), `reset_tokens set used_at = ${A_MINUTE_AGO}`),
        ),
      ]),
    /** The minutes until a new session, code and reset link expire, by the clock of the database. */
    lifetimes: async () => {
      const [{ email }, link] = await Promise.all([signIn(), resetLink()])
      const { rows } = await sql.query<Record<string, number>>(
        `select extract(epoch from max(sessions.expires_at) - now())::float8 / 60 as session,
           extract(epoch from max(code_expires_at) - now())::float8 / 60 as code,
           (select extract(epoch from max(expires_at) - now())::float8 / 60 from reset_tokens
            join users on users.id = user_id where email = $2) as link
         from users join sessions on sessions.user_id = users.id
         join challenges on challenges.user_id = users.id where email = $1`,
        [email, link.email],
      )
      return rows[0]!
    },
  }
}

/** Renews a refused access token and tries again, as the web app does. */
async function isLive(client: TestClient): Promise<boolean> {
  const { status } = await client.call(checkAuth, {})
  if (status === 200) return true
  const renewed = await client.call(refresh, {})
  return renewed.status === 204 && (await client.call(checkAuth, {})).status === 200
}
