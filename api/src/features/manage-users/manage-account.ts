import type { Role } from '@guidon/contract/account'
import type { CrmRefusal } from '@guidon/contract/crm-refusals'
import { alreadyInactive, notYourself } from '@guidon/contract/manage-users'
import type { ManagedUser } from '@guidon/contract/manage-users'
import { FIX_PASSWORD_BELOW } from '@guidon/contract/password'
import type { PersonalInfo } from '@guidon/contract/password-strength'
import { notFound, noSession } from '@guidon/contract/refusal'
import type { Refusal } from '@guidon/contract/refusal'
import { refusalsOf } from '../../crm/outbox/outbox.sql.ts'
import { isRecent, recordEvent } from '../../db/audit-events.ts'
import type { Database } from '../../db/database.ts'
import { deactivate, findPasswordHash, reactivate, setTemporaryPassword } from '../../db/users.ts'
import { refuse } from '../../http/refuse.ts'
import { requireManageable } from '../../http/require-manageable.ts'
import type { Jobs } from '../../jobs/queues.ts'
import type { Passwords } from '../../passwords/passwords.ts'
import { isUuid } from '../../platform/uuid.ts'
import type { Calls } from '../feature.ts'
import { linkToContact, setFolder } from './external-ids.ts'
import type { ExternalIds, ExternalIdParts } from './external-ids.ts'
import { findManaged, lockAdmins, lockManaged } from './managed-users.sql.ts'
import { sendReactivated } from './send-reactivated.ts'

interface Actor {
  id: string
  role: Role
}

export interface ManageAccountParts extends ExternalIdParts {
  db: Database
  strength: {
    weakness(password: string, person: PersonalInfo, key: string): Promise<Refusal | undefined>
  }
  jobs: Pick<Jobs, 'send'>
  passwords: Pick<Passwords, 'hash' | 'withQueueSlot'>
  calls: Pick<Calls, 'clearLimits' | 'endSignIns' | 'notifyOfTemporaryPassword' | 'requireFolder'>
}

export interface ManageAccount {
  update(actor: Actor, id: string, ids: ExternalIds): Promise<ManagedUser>
  deactivate(actor: Actor, id: string): Promise<void>
  /** Does nothing if the account is active. */
  reactivate(actor: Actor, id: string): Promise<ManagedUser>
  /** What the CRM refused of this account. */
  crmRefusals(actor: Actor, id: string): Promise<CrmRefusal[]>
  resetPassword(actor: Actor, id: string, newPassword: string): Promise<void>
}

export function manageAccount(parts: ManageAccountParts): ManageAccount {
  const { db, strength, jobs, passwords, calls } = parts

  const asUuid = (id: string) => {
    if (!isUuid(id)) throw refuse(notFound)
    return id
  }

  const isPasswordOf = async (userId: string, password: string, actor: Actor) => {
    const stored = await findPasswordHash(db, userId)
    return passwords.withQueueSlot(actor.id, (verify) => verify(password, stored))
  }

  return {
    update: async (actor, id, { salesforceId, boxFolderId }) => {
      if (boxFolderId) {
        const { boxFolderId: before } = requireManageable(actor, await findManaged(db, asUuid(id)))
        if (boxFolderId !== before) await calls.requireFolder(id, boxFolderId)
      }
      return db.transaction().execute(async (tx) => {
        const target = requireManageable(actor, await lockManaged(tx, asUuid(id)))
        if (salesforceId) await linkToContact(parts, tx, actor.id, target, salesforceId)
        if (boxFolderId) await setFolder(tx, actor.id, target, boxFolderId)
        return (await findManaged(tx, id))!
      })
    },

    deactivate: (actor, id) =>
      db.transaction().execute(async (tx) => {
        if (asUuid(id).toLowerCase() === actor.id) throw refuse(notYourself)
        // Locked before the target, so that all transactions lock in the same order. One administrator always
        // remains: the actor, who is still active and not the target.
        if (actor.role === 'ADMIN' && !(await lockAdmins(tx)).includes(actor.id)) {
          throw refuse(noSession)
        }
        const target = requireManageable(actor, await lockManaged(tx, id))
        if (!target.isActive) return
        await deactivate(tx, id)
        await calls.endSignIns(tx, id)
        await recordEvent(tx, {
          event: 'account_deactivated',
          actorId: actor.id,
          subjectId: target.id,
        })
      }),

    reactivate: (actor, id) =>
      db.transaction().execute(async (tx) => {
        // An administrator who is being deactivated must not undo it. Locked in the same order as above.
        if (!(await lockAdmins(tx)).includes(actor.id)) throw refuse(noSession)
        const target = requireManageable(actor, await lockManaged(tx, asUuid(id)))
        if (target.isActive) return target
        await reactivate(tx, target.id)
        await recordEvent(tx, {
          event: 'account_reactivated',
          actorId: actor.id,
          subjectId: target.id,
        })
        await jobs.send(sendReactivated, { userId: target.id }, tx)
        return { ...target, isActive: true }
      }),

    crmRefusals: async (actor, id) => {
      const { id: userId } = requireManageable(actor, await findManaged(db, asUuid(id)))
      return refusalsOf(db, userId)
    },

    resetPassword: async (actor, id, newPassword) => {
      const person = requireManageable(actor, await findManaged(db, asUuid(id)))
      const done = {
        event: 'password_set_by_staff',
        actorId: actor.id,
        subjectId: person.id,
      } as const
      // A repeated request: the first one has set this password, but its response may have been lost.
      if ((await isRecent(db, done)) && (await isPasswordOf(person.id, newPassword, actor))) return
      const weakness = await strength.weakness(newPassword, person, actor.id)
      if (weakness) throw refuse(weakness, { fields: { newPassword: FIX_PASSWORD_BELOW } })
      const passwordHash = await passwords.hash(newPassword, actor.id)
      await db.transaction().execute(async (tx) => {
        const target = requireManageable(actor, await lockManaged(tx, id))
        if (!target.isActive) throw refuse(alreadyInactive)
        await setTemporaryPassword(tx, target.id, passwordHash)
        await calls.endSignIns(tx, target.id)
        await recordEvent(tx, done)
        await calls.notifyOfTemporaryPassword(tx, target.id)
        await calls.clearLimits(tx, target.email)
      })
    },
  }
}
