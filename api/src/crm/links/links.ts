import type { LinkObstacle, LinkOrigin, LinkQuestion } from '@guidon/contract/links'
import { recordEvent } from '../../db/audit-events.ts'
import type { AuditEntry } from '../../db/audit-events.ts'
import type { Queryable, Tx } from '../../db/database.ts'
import { findForLink } from '../../db/users.ts'
import { findContactsByEmail, lockContact } from '../mirror/contacts.sql.ts'
import { startAgain } from '../outbox/outbox.sql.ts'
import type { Outbox } from '../outbox/outbox.ts'
import {
  askAbout,
  contactOf,
  currentLink,
  endLink,
  endWaiting,
  freezeLink,
  historyOf,
  insertLive,
  insertWaiting,
  keepLink,
} from './links.sql.ts'
import type { Decided, NewLink } from './links.sql.ts'
import { mayLink } from './may-link.ts'
import type { Answer, LinkContact } from './may-link.ts'
import { lostWithContact, moveRecords } from './shown-records.sql.ts'
import type { Moved } from './shown-records.sql.ts'

/** What an email to the owner of an account says. */
export type LinkNews = 'linked' | 'unlinked' | 'recordsMoved'

export interface LinksParts {
  outbox: Pick<Outbox, 'add'>
  /** Queues an email to the owner. `linkId` is what "This was not me" freezes. */
  tell(tx: Tx, email: { userId: string; linkId: string; news: LinkNews }): Promise<unknown>
}

/** A contact as the CRM has it now, or as the mirror has it. */
export type Candidate = LinkContact & { portalUserId: string | null }

/**
 * Who has which contact. Callers have locked the account, and then the contact: other orders could deadlock. Each change of
 * a link has its audit event, and an email if it shows or hides records. Why staff decided is in the link, not in the
 * audit log, which an erasure leaves as it is.
 */
export interface Links {
  /** What the rule says. `others`: contacts with the account's email; without it, those of the mirror. */
  answer(
    tx: Queryable,
    userId: string,
    contact: Candidate,
    others?: readonly Candidate[],
  ): Promise<Answer>
  /** Makes the contact the account's, in place of the one it has. */
  open(tx: Tx, link: NewLink, options?: OpenOptions): Promise<void>
  /** Asks staff; until they answer, the account keeps what it has. */
  ask(tx: Tx, link: NewLink, question: LinkQuestion, from?: string): Promise<void>
  /** Asks staff about the contact that the account has. */
  question(tx: Tx, linkId: string, question: LinkQuestion, from?: string): Promise<void>
  /** The portal has made this contact for the account. False if it got another one meanwhile. */
  made(tx: Tx, userId: string, contactId: string): Promise<boolean>
  /** The account loses its contact and gets a new one of its own. False if it has none. */
  unlink(tx: Tx, userId: string, by?: { actorId: string; refused: Decided }): Promise<boolean>
  /** Staff said yes. Returns what makes it impossible. */
  confirm(tx: Tx, link: AskedLink, decided: Decided): Promise<LinkObstacle | undefined>
  /** Staff said no. */
  refuse(tx: Tx, link: AskedLink, decided: Decided): Promise<void>
  /** The owner said that the contact is somebody else. False if there is no such live link. */
  freeze(tx: Tx, linkId: string): Promise<boolean>
  /** Shows what waits to be shown with this contact, or only what was shown with `from`. */
  showRecords(tx: Tx, contactId: string, from?: string | null): Promise<void>
  /** Tells accounts that they no longer see records. */
  tellMoved(tx: Tx, to: string, moved: readonly Moved[]): Promise<void>
}

interface OpenOptions {
  /** The member of staff who did it. */
  actorId?: string
  decided?: Decided
  /** The CRM has the account's id in the contact already. */
  isInCrm?: boolean
}

export interface AskedLink {
  id: string
  userId: string
  contactId: string
  origin: LinkOrigin
  state: 'waiting' | 'live' | 'frozen'
  question: LinkQuestion
}

export function createLinks({ outbox, tell }: LinksParts): Links {
  const tellMoved: Links['tellMoved'] = async (tx, to, moved) => {
    for (const { userId, linkId, from, count } of moved) {
      const details = { from, to, count }
      await recordEvent(tx, { event: 'records_moved', subjectId: userId, details })
      await tell(tx, { userId, linkId, news: 'recordsMoved' })
    }
  }
  const showRecords: Links['showRecords'] = async (tx, contactId, from) =>
    tellMoved(tx, contactId, await moveRecords(tx, contactId, from))

  /** What waited for a contact, and what the CRM lost with the earlier one. */
  const sendAgain = async (tx: Tx, userId: string) => {
    for (const { kind, id } of await lostWithContact(tx, userId)) {
      await outbox.add(tx, { userId, kind, entityId: id })
    }
    await startAgain(tx, userId)
  }

  const open: Links['open'] = async (tx, link, { actorId, decided, isInCrm } = {}) => {
    const { userId, contactId, origin } = link
    const before = await currentLink(tx, userId)
    if (before) await endLink(tx, before.id)
    await endWaiting(tx, userId)
    const linkId = await insertLive(tx, link, decided)
    // Staff were shown how many records wait. Without them, `settleMoves` decides about each that came from elsewhere.
    if (decided) await showRecords(tx, contactId)
    await recordEvent(tx, {
      event: 'account_linked',
      actorId,
      subjectId: userId,
      details: {
        contact: contactId,
        origin,
        ...(before && { before: before.contactId }),
        ...(decided && { link: linkId }),
      },
    })
    await tell(tx, { userId, linkId, news: 'linked' })
    if (!isInCrm) await outbox.add(tx, { userId, kind: 'contact', entityId: userId })
    await sendAgain(tx, userId)
  }

  const unlink: Links['unlink'] = async (tx, userId, by) => {
    const current = await currentLink(tx, userId)
    if (!current) return false
    await endLink(tx, current.id, by?.refused)
    await recordEvent(tx, {
      event: 'account_unlinked',
      actorId: by?.actorId,
      subjectId: userId,
      details: { contact: current.contactId, ...(by && { link: current.id }) },
    })
    await tell(tx, { userId, linkId: current.id, news: 'unlinked' })
    await outbox.add(tx, { userId, kind: 'contact', entityId: userId })
    await startAgain(tx, userId)
    return true
  }

  const waits = (tx: Tx, userId: string, details: AuditEntry['details']) =>
    recordEvent(tx, { event: 'link_questioned', subjectId: userId, ...(details && { details }) })

  const answer: Links['answer'] = async (tx, userId, contact, others) => {
    const account = await findForLink(tx, userId)
    if (!account) return { answer: 'no', because: 'inactive' }
    const history = await historyOf(tx, userId, contact)
    const own = await contactOf(tx, userId)
    const sameEmail = others ?? (await findContactsByEmail(tx, account.email))
    return mayLink(
      account,
      { ...contact, ...history },
      sameEmail.filter(({ id }) => id !== own),
    )
  }

  return {
    answer,
    open,
    unlink,
    showRecords,
    tellMoved,

    ask: async (tx, link, question, from) => {
      const { userId, contactId } = link
      if (!(await insertWaiting(tx, link, { question, from }))) return
      await waits(tx, userId, { contact: contactId, question, ...(from && { from }) })
    },

    question: async (tx, linkId, question, from) => {
      const userId = await askAbout(tx, linkId, { question, from })
      if (userId) await waits(tx, userId, { question, ...(from && { from }) })
    },

    made: async (tx, userId, contactId) => {
      if (await currentLink(tx, userId)) return false
      await insertLive(tx, { userId, contactId, origin: 'portal' })
      await recordEvent(tx, {
        event: 'contact_made',
        subjectId: userId,
        details: { contact: contactId },
      })
      await sendAgain(tx, userId)
      return true
    },

    confirm: async (tx, { id, userId, contactId, origin, state, question }, decided) => {
      const contact = await lockContact(tx, contactId)
      if (!contact) return 'contactGone'
      const rule = await answer(tx, userId, contact)
      if (rule.answer === 'no') return rule.because
      const options = { actorId: decided.by, decided }
      // The provider now says whose contact it is, also if the portal made it.
      if (state === 'waiting') await open(tx, { userId, contactId, origin }, options)
      else if (question === 'merged') {
        await open(tx, { userId, contactId, origin: 'merge' }, options)
      } else {
        await keepLink(tx, id, decided)
        await showRecords(tx, contactId)
        const details = { contact: contactId, question, link: id }
        await recordEvent(tx, {
          event: 'link_confirmed',
          actorId: decided.by,
          subjectId: userId,
          details,
        })
        // After the nightly check nothing changes for the owner.
        if (question !== 'ruleChanged') await tell(tx, { userId, linkId: id, news: 'linked' })
      }
      return undefined
    },

    refuse: async (tx, { id, userId, contactId, state, question }, decided) => {
      if (state !== 'waiting') {
        await unlink(tx, userId, { actorId: decided.by, refused: decided })
        return
      }
      await endLink(tx, id, decided)
      const details = { contact: contactId, question, link: id }
      await recordEvent(tx, {
        event: 'link_refused',
        actorId: decided.by,
        subjectId: userId,
        details,
      })
      // The contact that the account still has may be gone, as after a merge: then it needs another one.
      const current = await currentLink(tx, userId)
      if (current && !(await lockContact(tx, current.contactId))) {
        await unlink(tx, userId, { actorId: decided.by, refused: decided })
      }
    },

    freeze: async (tx, linkId) => {
      const frozen = await freezeLink(tx, linkId)
      if (!frozen) return false
      const { userId, contactId } = frozen
      await recordEvent(tx, {
        event: 'link_frozen',
        subjectId: userId,
        details: { contact: contactId },
      })
      return true
    },
  }
}
