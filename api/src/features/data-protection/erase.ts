import { setTimeout as delay } from 'node:timers/promises'
import { findContactsByEmail } from '../../crm/mirror/contacts.sql.ts'
import { contactsOfAccount, clearContacts } from '../../crm/mirror/rows.sql.ts'
import { lockUnsent } from '../../crm/outbox/outbox.sql.ts'
import { recordEvent } from '../../db/audit-events.ts'
import { removeSourcesOf } from '../../db/audit-sources.ts'
import { withoutStatementTimeout } from '../../db/database.ts'
import type { Database, Tx } from '../../db/database.ts'
import {
  deleteAccount,
  erasedContacts,
  erasures,
  findErasable,
  lockWaitingDocuments,
  relatedIdsOf,
  recordErasure,
} from '../../db/erasures.ts'
import type { Erasable, Erasure } from '../../db/erasures.ts'
import { Busy } from '../../db/locks.ts'
import { deactivate, lockUser } from '../../db/users.ts'
import type { Calls } from '../feature.ts'

/** Longer than the time for which a worker claims an outbox entry. */
const SEND_WAIT_MS = 70_000
const RETRY_MS = 200

class BeingSent extends Busy {}

/** The result of an erasure: the ids of the records that the provider must delete in other systems. */
export interface Erased {
  /** The audit log keeps this id. */
  userId: string
  crm: {
    contacts: string[]
    documents: string[]
    appointments: string[]
    claims: string[]
    /** These two are our ids; the CRM stores them with its records. */
    intake: string | null
    contactRequests: string[]
  }
  fileStore: { folder: string | null; files: string[] }
  /** Deleted before they were sent to the CRM or the file store. */
  unsent: { entries: number; documents: number }
  jobs: number
}

export interface ErasingParts {
  db: Database
  /** Deletes the jobs whose data contain one of these ids. */
  deleteJobsOf(tx: Tx, ids: readonly string[]): Promise<number>
  calls: Pick<Calls, 'deleteSignUps' | 'endSignIns'>
}

export interface Erasing {
  find(email: string): Promise<Erasable | undefined>
  /** Ids of all mirrored contacts with this email; after `erase`, those of the account have no email any more. */
  contactsWith(email: string): Promise<string[]>
  /** Returns undefined if there is no such account. */
  erase(userId: string): Promise<Erased | undefined>
  /** Deletes unverified sign-ups with this email. Returns how many. */
  eraseSignUps(email: string): Promise<number>
  list(): Promise<Erasure[]>
  /** After a restore: erases every account again that was erased before. Returns how many the backup had. */
  again(externalErasures: readonly Pick<Erasure, 'userId' | 'contactId'>[]): Promise<number>
}

export function erasing({ db, deleteJobsOf, calls }: ErasingParts): Erasing {
  const deactivateAccount = async (tx: Tx, userId: string) => {
    if (!(await deactivate(tx, userId))) return
    await calls.endSignIns(tx, userId)
    await recordEvent(tx, { event: 'account_deactivated', subjectId: userId })
  }

  const eraseIn = async (tx: Tx, userId: string): Promise<Erased | undefined> => {
    await withoutStatementTimeout(tx)
    // So that no administrator reactivates the account before the end, as one may have done since `erase` began.
    await lockUser(tx, userId)
    // No write may arrive after the erasure has reported what to delete.
    if (!(await lockUnsent(tx, userId))) throw new BeingSent('an outbox entry is being sent')
    await deactivateAccount(tx, userId)
    const { documents, waiting, challenges, ...ids } = await relatedIdsOf(tx, userId)
    await lockWaitingDocuments(tx, waiting)
    const account = await findErasable(tx, { userId })
    if (!account) return undefined
    const { contactId, boxFolderId } = account
    const known = contactId ? [contactId] : []
    const contacts = [...new Set([...known, ...(await contactsOfAccount(tx, userId))])]
    const mirrored = await clearContacts(tx, contacts)
    const signUps = await calls.deleteSignUps(tx, account.email)
    const jobs = await deleteJobsOf(tx, [
      userId,
      ...documents,
      ...challenges,
      ...signUps.challengeIds,
    ])
    await removeSourcesOf(tx, [userId, ...signUps.ids])
    await deleteAccount(tx, userId)
    await recordErasure(tx, { userId, contactId: contacts[0] ?? null })
    await recordEvent(tx, {
      event: 'account_erased',
      subjectId: userId,
      ...(contacts[0] && { details: { contact: contacts[0] } }),
    })
    return {
      userId,
      crm: {
        contacts,
        documents: [...new Set([...ids.crmDocuments, ...mirrored.documents])],
        appointments: mirrored.appointments,
        claims: mirrored.claims,
        intake: ids.intake,
        contactRequests: ids.contactRequests,
      },
      fileStore: { folder: boxFolderId, files: ids.boxFiles },
      unsent: { entries: ids.unsent, documents: waiting.length },
      jobs,
    }
  }

  const erase = async (userId: string) => {
    // First, so that the account adds nothing new during the erasure.
    await db.transaction().execute((tx) => deactivateAccount(tx, userId))
    for (const end = performance.now() + SEND_WAIT_MS; ; await delay(RETRY_MS)) {
      try {
        return await db.transaction().execute((tx) => eraseIn(tx, userId))
      } catch (error) {
        if (!(error instanceof BeingSent) || performance.now() > end) throw error
      }
    }
  }

  return {
    find: (email) => findErasable(db, { email }),
    contactsWith: async (email) => (await findContactsByEmail(db, email)).map(({ id }) => id),
    erase,
    eraseSignUps: (email) =>
      db.transaction().execute(async (tx) => {
        const { ids, challengeIds } = await calls.deleteSignUps(tx, email)
        await deleteJobsOf(tx, challengeIds)
        await removeSourcesOf(tx, ids)
        return ids.length
      }),
    list: () => erasures(db),
    again: async (externalErasures) => {
      await db.transaction().execute(async (tx) => {
        for (const erasure of externalErasures) await recordErasure(tx, erasure)
      })
      let erased = 0
      for (const { userId, contactId } of await erasures(db)) {
        if (await erase(userId)) erased += 1
        if (contactId) await clearContactAgain(db, contactId)
      }
      return erased
    },
  }
}

/** The backup may have the contact without the account. A contact that now belongs to a new account is kept. */
async function clearContactAgain(db: Database, contactId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await withoutStatementTimeout(tx)
    const [contact] = await erasedContacts(tx, [contactId])
    if (contact) await clearContacts(tx, [contact])
  })
}
