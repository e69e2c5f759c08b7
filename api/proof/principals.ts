import { randomBytes } from 'node:crypto'
import type { Role } from '@guidon/contract/account'
import { login } from '@guidon/contract/auth'
import type { boot } from '../test/boot.ts'
import { mailbox } from '../test/mailbox.ts'
import type { TestClient } from '../test/test-client.ts'
import type { Principal } from './matrix.ts'

type TestApp = Awaited<ReturnType<typeof boot>>

export interface Account {
  email: string
  password: string
}

export interface Caller {
  client: TestClient
  /** Whose account the call is about. */
  subject: Account
  /** The caller's own account, where it is another one. */
  self?: Account
  /** What happens to the person between getting ready and calling. */
  meanwhile(): Promise<unknown>
}

const nothing = async () => {}

export function principals(testApp: TestApp) {
  const { account, newClient, signedIn, sql } = testApp

  const stranger = async (cookies: readonly string[] = []): Promise<Caller> => {
    const client = newClient()
    for (const name of cookies) client.cookies.set(name, randomBytes(32).toString('base64url'))
    return { client, subject: await account(), meanwhile: nothing }
  }
  const holder = async (
    role: Role,
    meanwhile: (subject: Account) => Promise<unknown> = nothing,
  ) => {
    const subject = await account(role)
    return { client: await signedIn(subject), subject, meanwhile: () => meanwhile(subject) }
  }
  const expires = async ({ email }: Account) => {
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
    none: () => stranger(),
    expired: () => holder('USER', expires),
    'challenge only': async () => {
      const subject = await account()
      const client = newClient()
      await client.call(login, { body: subject })
      await mailbox.codeFor(subject.email)
      return { client, subject, meanwhile: nothing }
    },
    owner: () => holder('USER'),
    'other USER': async () => {
      const other = await holder('USER')
      return { ...other, self: other.subject, subject: await account() }
    },
    deactivated: () =>
      holder('USER', ({ email }) =>
        sql.query('update users set is_active = false where email = $1', [email]),
      ),
    STAFF: () => holder('STAFF'),
    ADMIN: () => holder('ADMIN'),
    forged: () =>
      stranger(['guidon-access', 'guidon-refresh', 'guidon-challenge', 'guidon-device']),
  }
  return callers
}
