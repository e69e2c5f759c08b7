import { randomBytes } from 'node:crypto'
import type { Role } from '@guidon/contract/account'
import { login } from '@guidon/contract/auth'
import { openHandOff } from '@guidon/contract/hand-off'
import type { TestApp } from '../../support/boot.ts'
import { newToken } from '../../support/hand-off.ts'
import { mailbox } from '../../support/mailbox.ts'
import type { TestClient } from '../../support/test-client.ts'
import type { Principal } from './matrix.ts'
import { addHandOff } from './valid-requests.ts'
import type { Account } from './valid-requests.ts'

interface Caller {
  client: TestClient
  /** The account that the body of the request is about. */
  subject: Account
  /** The caller's own account, if it differs from the subject. */
  ownAccount?: Account
  /** Changes the caller's account after the request was prepared. */
  beforeCall(): Promise<unknown>
}

const doNothing = async () => {}

export function principals(testApp: TestApp) {
  const { account, newClient, withSession, sql } = testApp

  const anonymous = async (cookies: readonly string[] = []): Promise<Caller> => {
    const client = newClient()
    for (const name of cookies) client.cookies.set(name, randomBytes(32).toString('base64url'))
    return { client, subject: await account(), beforeCall: doNothing }
  }
  const signedInAs = async (
    role: Role,
    beforeCall: (subject: Account) => Promise<unknown> = doNothing,
  ) => {
    const subject = await account(role)
    return { client: await withSession(subject), subject, beforeCall: () => beforeCall(subject) }
  }
  const expireSession = async ({ email }: Account) => {
    const past = `now() - interval '1 second'`
    await sql.query(
      `with ended as (update sessions set expires_at = ${past}
         where user_id = (select id from users where email = $1) returning id)
       update session_tokens set access_expires_at = ${past}
         where session_id in (select id from ended)`,
      [email],
    )
  }

  const callers: Record<Principal, () => Promise<Caller>> = {
    none: () => anonymous(),
    expired: () => signedInAs('USER', expireSession),
    'challenge only': async () => {
      const subject = await account()
      const client = newClient()
      await client.call(login, { body: subject })
      await mailbox.codeFor(subject.email)
      return { client, subject, beforeCall: doNothing }
    },
    owner: () => signedInAs('USER'),
    'other USER': async () => {
      const other = await signedInAs('USER')
      return { ...other, ownAccount: other.subject, subject: await account() }
    },
    deactivated: () =>
      signedInAs('USER', ({ email }) =>
        sql.query('update users set is_active = false where email = $1', [email]),
      ),
    STAFF: () => signedInAs('STAFF'),
    ADMIN: () => signedInAs('ADMIN'),
    forged: () =>
      anonymous([
        'guidon-access',
        'guidon-refresh',
        'guidon-challenge',
        'guidon-device',
        'guidon-phone',
      ]),
    phone: async () => {
      const caller = await anonymous()
      const { token } = await addHandOff(testApp, caller.subject.email)
      await caller.client.call(openHandOff, { body: { token, attempt: newToken() } })
      return caller
    },
  }
  return callers
}
