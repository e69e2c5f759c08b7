import { randomUUID } from 'node:crypto'
import { FIX_PASSWORD_BELOW, resetLinkVoid, wrongCurrentPassword } from '@guidon/contract/password'
import type { PersonalInfo } from '@guidon/contract/password-strength'
import { isRecent, recordEvent } from '../../db/audit-events.ts'
import type { Database } from '../../db/database.ts'
import type { LiveSession } from '../../db/sessions.ts'
import {
  findCredentials,
  findPasswordHash,
  lockAccount,
  replacePassword,
  setPassword,
} from '../../db/users.ts'
import { refuse } from '../../http/refuse.ts'
import type { Jobs } from '../../jobs/queues.ts'
import { recordUsed } from '../../mail/deliveries.sql.ts'
import type { Passwords } from '../../passwords/passwords.ts'
import type { Strength } from '../../passwords/strength.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { recordDevice } from './devices.sql.ts'
import { endSignInsOf } from './end-sign-ins.ts'
import type { Client, Limits } from './limits.ts'
import { ownerOfResetToken, ownerOfUsedResetToken, useResetToken } from './reset-tokens.sql.ts'
import { sendNotice } from './send-notice.ts'
import { sendResetLink } from './send-reset-link.ts'

export interface PasswordChangeParts {
  db: Database
  tokens: Tokens
  passwords: Passwords
  strength: Pick<Strength, 'weakness'>
  jobs: Jobs
  limits: Pick<Limits, 'currentPassword' | 'passwordChange' | 'forgot' | 'clear'>
}

export interface PasswordChange {
  /** Takes the same steps and gives the same response for known and unknown emails. */
  forgot(email: string, client: Client): Promise<void>
  /**
   * Returns the token for the device cookie. The link proves who owns the account, so the browser becomes a
   * known device, whose tries nobody else can use up.
   */
  reset(token: string, newPassword: string, device: string | undefined): Promise<string>
  change(holder: LiveSession, currentPassword: string, newPassword: string): Promise<void>
}

export function passwordChange(parts: PasswordChangeParts): PasswordChange {
  const { db, tokens, passwords, strength, jobs, limits } = parts

  const requireStrongPassword = async (
    password: string,
    person: PersonalInfo & { id: string },
  ): Promise<void> => {
    const weakness = await strength.weakness(password, person, person.id)
    if (weakness) throw refuse(weakness, { fields: { newPassword: FIX_PASSWORD_BELOW } })
  }

  /** Whether an earlier request with the same link has set this password. */
  const wasReset = async (tokenHashes: Buffer[], newPassword: string) => {
    const owner = await ownerOfUsedResetToken(db, tokenHashes)
    if (!owner) return false
    return passwords.withQueueSlot(owner.id, (verify) => verify(newPassword, owner.passwordHash))
  }

  return {
    forgot: async (email, client) => {
      await limits.forgot(email, client)
      const account = await findCredentials(db, email)
      await db.transaction().execute(async (tx) => {
        await recordEvent(tx, { event: 'password_reset_requested', subjectId: account?.id })
        await jobs.send(sendResetLink, { userId: account?.id ?? randomUUID() }, tx)
      })
    },

    reset: async (token, newPassword, presentedDevice) => {
      const tokenHashes = tokens.hashes('reset', token)
      // The same for a repeated request, whose first response was lost.
      const device = presentedDevice ?? tokens.derive(`device of reset link\0${token}`)
      const owner = await ownerOfResetToken(db, tokenHashes)
      if (!owner) {
        if (await wasReset(tokenHashes, newPassword)) return device
        throw refuse(resetLinkVoid)
      }
      await requireStrongPassword(newPassword, owner)
      const passwordHash = await passwords.hash(newPassword, owner.id)
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, owner.id)
        if (!(await useResetToken(tx, tokenHashes))) throw refuse(resetLinkVoid)
        await setPassword(tx, owner.id, passwordHash)
        await endSignInsOf(tx, owner.id)
        await recordDevice(tx, { userId: owner.id, tokenHashes: tokens.hashes('device', device) })
        await recordUsed(tx, owner.id, 'resetLink')
        await recordEvent(tx, { event: 'password_reset', subjectId: owner.id })
        await jobs.send(sendNotice, { userId: owner.id, notice: 'password-changed' }, tx)
        await limits.clear(tx, owner.email)
      })
      return device
    },

    change: async ({ user, sessionId }, currentPassword, newPassword) => {
      const event = { event: 'password_changed', actorId: user.id, subjectId: user.id } as const
      const verifiedHash = await passwords.withQueueSlot(user.id, async (verify) => {
        const attempt = await limits.currentPassword(user)
        if (!attempt.allowed) throw await attempt.refusal()
        const stored = await findPasswordHash(db, user.id)
        if (stored && (await verify(currentPassword, stored))) {
          await attempt.succeeded()
          return stored
        }
        // An earlier request, whose response was lost, has changed the password already.
        if (stored && (await isRecent(db, event)) && (await verify(newPassword, stored))) {
          await attempt.succeeded()
          return undefined
        }
        await recordEvent(db, {
          event: 'password_change_refused',
          actorId: user.id,
          subjectId: user.id,
        })
        throw refuse(wrongCurrentPassword)
      })
      if (verifiedHash === undefined) return
      await requireStrongPassword(newPassword, user)
      await limits.passwordChange(user)
      const passwordHash = await passwords.hash(newPassword, user.id)
      await db.transaction().execute(async (tx) => {
        // Fails if the password was reset meanwhile.
        if (!(await replacePassword(tx, user.id, verifiedHash, passwordHash))) {
          throw refuse(wrongCurrentPassword)
        }
        await endSignInsOf(tx, user.id, sessionId)
        await recordEvent(tx, event)
        await jobs.send(sendNotice, { userId: user.id, notice: 'password-changed' }, tx)
      })
    },
  }
}
