import { randomUUID } from 'node:crypto'
import { PASSWORD_UNFIT, resetLinkVoid, wrongCurrentPassword } from '@guidon/contract/password'
import type { KnownOfPerson } from '@guidon/contract/password-strength'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database } from '../../db/database.ts'
import { ownerOfResetToken, useResetToken, voidResetTokens } from '../../db/reset-tokens.ts'
import { revokeAllOf } from '../../db/sessions.ts'
import type { LiveSession } from '../../db/sessions.ts'
import { findCredentials, findPasswordHash, setPassword } from '../../db/users.ts'
import { refuse, refuseInput } from '../../http/refuse.ts'
import type { Tokens } from '../../http/tokens.ts'
import type { Jobs } from '../../jobs/queues.ts'
import type { Limits } from './limits.ts'
import type { Passwords } from './passwords.ts'
import { sendNotice } from './send-notice.ts'
import { sendResetLink } from './send-reset-link.ts'
import type { Strength } from './strength.ts'

export interface PasswordChangeParts {
  db: Database
  tokens: Tokens
  passwords: Passwords
  strength: Pick<Strength, 'isHardToGuess'>
  jobs: Jobs
  limits: Pick<
    Limits,
    'mailTo' | 'currentPassword' | 'currentPasswordWasRight' | 'refuseCurrentPassword'
  >
}

export interface PasswordChange {
  /** The same steps and the same answer whether the email is known or not. */
  forgot(email: string): Promise<void>
  reset(token: string, newPassword: string): Promise<void>
  change(holder: LiveSession, currentPassword: string, newPassword: string): Promise<void>
}

export function passwordChange(parts: PasswordChangeParts): PasswordChange {
  const { db, tokens, passwords, strength, jobs, limits } = parts

  const fit = async (password: string, person: KnownOfPerson): Promise<void> => {
    if (await strength.isHardToGuess(password, person)) return
    throw refuseInput([{ path: ['newPassword'], message: PASSWORD_UNFIT }])
  }

  return {
    forgot: async (email) => {
      await limits.mailTo(email, 'reset')
      const account = await findCredentials(db, email)
      await db.transaction().execute(async (tx) => {
        await recordEvent(tx, { event: 'password_reset_requested', subjectId: account?.id })
        await jobs.send(sendResetLink, { userId: account?.id ?? randomUUID() }, tx)
      })
    },

    reset: async (token, newPassword) => {
      const tokenHashes = tokens.hashes('reset', token)
      const owner = await ownerOfResetToken(db, tokenHashes)
      if (!owner) throw refuse(resetLinkVoid)
      await fit(newPassword, owner)
      const passwordHash = await passwords.hash(newPassword, owner.id)
      await db.transaction().execute(async (tx) => {
        if (!(await useResetToken(tx, tokenHashes))) throw refuse(resetLinkVoid)
        await setPassword(tx, owner.id, passwordHash)
        await revokeAllOf(tx, owner.id)
        await recordEvent(tx, { event: 'password_reset', subjectId: owner.id })
        await jobs.send(sendNotice, { userId: owner.id, notice: 'password-changed' }, tx)
      })
    },

    change: async ({ user, sessionId }, currentPassword, newPassword) => {
      await passwords.inLine(user.id, async (verify) => {
        if (!(await limits.currentPassword(user.id)))
          throw await limits.refuseCurrentPassword(user.id)
        const stored = await findPasswordHash(db, user.id)
        if (await verify(currentPassword, stored)) return
        await recordEvent(db, {
          event: 'password_change_refused',
          actorId: user.id,
          subjectId: user.id,
        })
        throw refuse(wrongCurrentPassword)
      })
      await limits.currentPasswordWasRight(user.id)
      await fit(newPassword, user)
      const passwordHash = await passwords.hash(newPassword, user.id)
      await db.transaction().execute(async (tx) => {
        await setPassword(tx, user.id, passwordHash)
        // Every other device is signed out; the one that knew the current password stays.
        await revokeAllOf(tx, user.id, sessionId)
        await voidResetTokens(tx, user.id)
        await recordEvent(tx, { event: 'password_changed', actorId: user.id, subjectId: user.id })
        await jobs.send(sendNotice, { userId: user.id, notice: 'password-changed' }, tx)
      })
    },
  }
}
