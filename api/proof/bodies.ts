import { randomUUID } from 'node:crypto'
import type { boot } from '../test/boot.ts'
import { mailbox } from '../test/mailbox.ts'
import type { Account } from './principals.ts'
import { NEW_PASSWORD, resetTokenFor } from './reset-link.ts'

type House = Pick<Awaited<ReturnType<typeof boot>>, 'someone' | 'sql'>

/** A valid body for a call about an account, and whatever must be so for the call to succeed. */
export type MakeBody = (subject: Account) => Promise<object>

const newPassword = { newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }

export function bodies({ someone, sql }: House): Readonly<Record<string, MakeBody>> {
  const verify: MakeBody = async ({ email }) => {
    const [mail] = await mailbox.mailsTo(email, { waitMs: 0 })
    return { email, code: mail?.text.match(/\b\d{6}\b/)?.[0] ?? '123456' }
  }
  return {
    register: async () => ({
      email: `${randomUUID()}@example.com`,
      password: NEW_PASSWORD,
      firstName: 'Maria',
      lastName: 'Delgado',
      phone: '6195550177',
      state: 'Texas',
    }),
    verifyEmail: verify,
    login: async (subject) => subject,
    verifyLogin: verify,
    resendVerificationCode: async ({ email }) => {
      await sql.query(
        `update challenges set sent_at = sent_at - interval '1 minute'
         where user_id = (select id from users where email = $1)`,
        [email],
      )
      return { email, verificationType: 'login' }
    },
    forgotPassword: async ({ email }) => ({ email }),
    resetPassword: async ({ email }) => ({
      token: await resetTokenFor(someone(), email),
      ...newPassword,
    }),
    changePassword: async ({ password }) => ({ currentPassword: password, ...newPassword }),
  }
}
