import { randomUUID } from 'node:crypto'
import { login, verifyLogin } from '@guidon/contract/auth'
import { forgotPassword, resetPassword } from '@guidon/contract/password'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import type { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { expect } from 'vitest'
import { NEWCOMER } from '../../support/boot.ts'
import type { TestApp } from '../../support/boot.ts'
import { resetWith } from '../../support/reset-link.ts'
import type { TestClient } from '../../support/test-client.ts'
import type { responseTimes } from './response-times.ts'

/** A person who waits for a code or a link. */
export interface Pending {
  email: string
  client: TestClient
  kind: 'sign-up' | 'sign-in' | 'reset'
}

export const IS_MAIL_JOB = `name in ('auth.send-code', 'auth.send-reset-link')`

const untimed: ReturnType<typeof responseTimes>['timed'] = (send) => send()

/** Requests that are acknowledged before their email is sent. */
export function mailRequests(
  { account, newClient }: Pick<TestApp, 'account' | 'newClient'>,
  mailbox: MailboxClient,
  timed = untimed,
) {
  return {
    async signUp(email = `${randomUUID()}@example.com`): Promise<Pending> {
      const client = newClient()
      const body = { ...NEWCOMER, email }
      expect((await timed(() => client.call(register, { body }))).status).toBe(202)
      return { email, client, kind: 'sign-up' }
    },

    async signIn(): Promise<Pending> {
      const veteran = await account()
      const client = newClient()
      expect((await timed(() => client.call(login, { body: veteran }))).status).toBe(204)
      return { email: veteran.email, client, kind: 'sign-in' }
    },

    async forgot(): Promise<Pending> {
      const { email } = await account()
      const client = newClient()
      expect((await timed(() => client.call(forgotPassword, { body: { email } }))).status).toBe(202)
      return { email, client, kind: 'reset' }
    },

    /** Whether the code or link that arrived works. */
    async isAccepted({ email, client, kind }: Pending): Promise<boolean> {
      const mails = await mailbox.mailsTo(email, { waitMs: 0 })
      if (kind === 'reset') {
        const token = mails[0]?.text.match(/\?token=([\w-]+)/)?.[1] ?? ''
        return (await client.call(resetPassword, resetWith(token))).status === 204
      }
      const verify = kind === 'sign-up' ? verifyEmail : verifyLogin
      // Two sign-ups with the same email have a code each, and their emails arrive in any order.
      for (const { text } of mails) {
        const code = text.match(/\b\d{6}\b/)?.[0] ?? '000000'
        if ((await client.call(verify, { body: { email, code } })).status === 200) return true
      }
      return false
    },
  }
}
