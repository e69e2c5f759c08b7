import { recordEvent } from '../../db/audit-events.ts'
import { removeSourcesOf } from '../../db/audit-sources.ts'
import { findContactsByEmail } from '../../db/crm-contacts.ts'
import { lockOutbox } from '../../db/crm-outbox.ts'
import { contactsOfAccount, clearContacts } from '../../db/crm-rows.ts'
import { withoutStatementTimeout } from '../../db/database.ts'
import type { Database, Tx } from '../../db/database.ts'
import {
  deleteAccount,
  erasedContacts,
  erasures,
  findErasable,
  relatedIdsOf,
  recordErasure,
} from '../../db/erasures.ts'
import type { Erasable, Erasure } from '../../db/erasures.ts'
import { lockInside } from '../../db/locks.ts'
import { deactivate } from '../../db/users.ts'
import type { Calls } from '../feature.ts'

/** What remains elsewhere after an erasure, by ids alone: the provider deletes it there. */
export interface Erased {
  /** Under this id the audit log goes on to know the account. */
  userId: string
  crm: {
    contacts: string[]
    documents: string[]
    appointments: string[]
    /** Our ids, which the CRM holds beside its own. */
    intake: string | null
    contactRequests: string[]
  }
  fileStore: { folder: string | null; files: string[] }
  /** What had not reached the CRM or the file store, and never will. */
  unsent: { entries: number; documents: number }
  jobs: number
}

export interface ErasingParts {
  db: Database
  /** Removes the jobs that name one of these ids. */
  deleteJobsOf(tx: Tx, ids: readonly string[]): Promise<number>
  calls: Pick<Calls, 'deleteSignUps' | 'endSignIns'>
}

export interface Erasing {
  find(email: string): Promise<Erasable | undefined>
  /** Contacts of the CRM with this email that belong to no account: only the provider knows whose they are. */
  contactsWith(email: string): Promise<string[]>
  /** Undefined where the account is gone already. */
  erase(userId: string): Promise<Erased | undefined>
  /** Removes what was typed at sign-ups with this email that were never verified. Returns how many there were. */
  eraseSignUps(email: string): Promise<number>
  list(): Promise<Erasure[]>
  /** Brings a restored backup to where it was: erases anew whoever was. Answers how many accounts were there again. */
  again(also: readonly Pick<Erasure, 'userId' | 'contactId'>[]): Promise<number>
}

export function erasing({ db, deleteJobsOf, calls }: ErasingParts): Erasing {
  /** From its next request on, nothing new comes from the account. */
  const shut = (userId: string) =>
    db.transaction().execute(async (tx) => {
      if (!(await deactivate(tx, userId))) return
      await calls.endSignIns(tx, userId)
      await recordEvent(tx, { event: 'account_deactivated', subjectId: userId })
    })

  const eraseIn = async (tx: Tx, userId: string): Promise<Erased | undefined> => {
    await withoutStatementTimeout(tx)
    // Before the account's row, as those who send take them: what is just being sent is waited for.
    await lockOutbox(tx, userId)
    const { documents, waiting, challenges, ...ids } = await relatedIdsOf(tx, userId)
    for (const id of waiting) await lockInside(tx, `document ${id}`)
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
        intake: ids.intake,
        contactRequests: ids.contactRequests,
      },
      fileStore: { folder: boxFolderId, files: ids.boxFiles },
      unsent: { entries: ids.unsent, documents: waiting.length },
      jobs,
    }
  }

  const erase = async (userId: string) => {
    await shut(userId)
    return db.transaction().execute((tx) => eraseIn(tx, userId))
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
    again: async (also) => {
      await db.transaction().execute(async (tx) => {
        for (const one of also) await recordErasure(tx, one)
      })
      let there = 0
      for (const { userId, contactId } of await erasures(db)) {
        if (await erase(userId)) there += 1
        if (contactId) await emptyAgain(db, contactId)
      }
      return there
    },
  }
}

/** The mirror came back with the backup, though the account may not have; a new account keeps what is its own. */
async function emptyAgain(db: Database, contactId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await withoutStatementTimeout(tx)
    const [erased] = await erasedContacts(tx, [contactId])
    if (erased) await clearContacts(tx, [erased])
  })
}
