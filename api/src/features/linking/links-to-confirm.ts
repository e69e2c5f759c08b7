import type { Role } from '@guidon/contract/account'
import type { ResponseIn } from '@guidon/contract/endpoint'
import { linkGone, linkImpossible } from '@guidon/contract/links'
import type {
  Comparison,
  getLinkToConfirm,
  LinkObstacle,
  listLinksToConfirm,
  previewContact,
  Sides,
} from '@guidon/contract/links'
import { contactUnknown } from '@guidon/contract/manage-users'
import { notFound } from '@guidon/contract/refusal'
import { STATES } from '@guidon/contract/states'
import { longContactId } from '../../crm/links/contact-id.ts'
import type { Links } from '../../crm/links/links.ts'
import { isSamePhone, isSameText } from '../../crm/links/may-link.ts'
import { countHeld } from '../../crm/links/shown-records.sql.ts'
import { findContact } from '../../crm/mirror/contacts.sql.ts'
import type { MirroredContact } from '../../crm/mirror/contacts.sql.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { lockUsers } from '../../db/users.ts'
import { refuse } from '../../http/refuse.ts'
import { requireManageable } from '../../http/require-manageable.ts'
import { isUuid } from '../../platform/uuid.ts'
import { askedLinks, findAccount, findLink, otherAccountOf } from './links.sql.ts'

interface Actor {
  id: string
  role: Role
}

export interface LinksToConfirm {
  list(actor: Actor): Promise<ResponseIn<typeof listLinksToConfirm>>
  details(actor: Actor, id: string): Promise<ResponseIn<typeof getLinkToConfirm>>
  decide(
    actor: Actor,
    id: string,
    decision: { decision: 'confirm' | 'refuse'; reason: string },
  ): Promise<void>
  /** Whose contact an id is, before staff save it. */
  preview(
    actor: Actor,
    userId: string,
    salesforceId: string,
  ): Promise<ResponseIn<typeof previewContact>>
}

export interface LinksToConfirmParts {
  db: Database
  links: Pick<Links, 'answer' | 'confirm' | 'refuse'>
}

export function confirmingLinks({ db, links }: LinksToConfirmParts): LinksToConfirm {
  const sidesOf = async (
    queryable: Queryable,
    account: Account,
    contactId: string,
  ): Promise<Sides & { asks: boolean | null }> => {
    const contact = await findContact(queryable, contactId)
    const rule = contact && (await links.answer(queryable, account.id, contact))
    const obstacle: LinkObstacle | null = !rule
      ? 'contactGone'
      : rule.answer === 'no'
        ? rule.because
        : null
    return {
      account: {
        id: account.id,
        name: `${account.firstName} ${account.lastName}`,
        emailVerifiedAt: account.emailVerifiedAt,
        contactId: account.contactId,
      },
      contact: contact ? { id: contactId, name: nameOf(contact), phone: contact.phone } : null,
      compared: compare(account, contact),
      otherAccount: await otherAccountOf(queryable, contactId, account.id),
      obstacle,
      asks: obstacle ? null : rule?.answer === 'ask',
    }
  }

  return {
    list: ({ role }) => askedLinks(db, role),

    details: async (actor, id) => {
      const link = isUuid(id) ? await findLink(db, id) : undefined
      if (!link) throw refuse(notFound)
      const account = requireManageable(actor, await findAccount(db, link.userId))
      const { asks: _, ...sides } = await sidesOf(db, account, link.contactId)
      return {
        ...sides,
        id: link.id,
        question: link.question,
        askedAt: link.askedAt,
        isLive: link.state === 'live',
        fromContactId: link.fromContactId,
        heldRecords: await countHeld(db, link.contactId),
      }
    },

    decide: (actor, id, { decision, reason }) =>
      db.transaction().execute(async (tx) => {
        const found = isUuid(id) ? await findLink(tx, id) : undefined
        if (!found) throw refuse(notFound)
        requireManageable(actor, await findAccount(tx, found.userId))
        await lockUsers(tx, [found.userId])
        const link = await findLink(tx, id)
        if (!link || link.state === 'ended' || link.question === null) throw refuse(linkGone)
        const asked = { ...link, state: link.state, question: link.question }
        const decided = { by: actor.id, reason }
        if (decision === 'refuse') return links.refuse(tx, asked, decided)
        const obstacle = await links.confirm(tx, asked, decided)
        if (obstacle) throw refuse(linkImpossible(obstacle))
      }),

    preview: async (actor, userId, salesforceId) => {
      if (!isUuid(userId)) throw refuse(notFound)
      const account = requireManageable(actor, await findAccount(db, userId))
      const contactId = longContactId(salesforceId)
      const sides = await sidesOf(db, account, contactId)
      if (!sides.contact) throw refuse(contactUnknown)
      return sides
    },
  }
}

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

const nameOf = ({ firstName, lastName }: MirroredContact) =>
  [firstName, lastName].filter(Boolean).join(' ')

function compare(account: Account, contact: MirroredContact | undefined): Comparison[] {
  const row = (
    field: Comparison['field'],
    ours: string | null,
    theirs: string | null | undefined,
    isSame: (one: string | null, other: string | null) => boolean,
  ) => ({ field, account: ours, contact: theirs ?? null, same: isSame(ours, theirs ?? null) })
  return [
    row('lastName', account.lastName, contact?.lastName, isSameText),
    row('firstName', account.firstName, contact?.firstName, isSameText),
    row('email', account.email, contact?.email, isSameText),
    row('phone', account.phone, contact?.phone, isSamePhone),
    row('state', account.state, contact?.state, isSameState),
    row('boxFolder', account.boxFolderId, contact?.boxFolderId, isSameText),
  ]
}

const stateName = (text: string | null) =>
  STATES.find(({ code }) => code === text?.trim().toUpperCase())?.name ?? text

/** Either may be a name or a code. */
const isSameState = (one: string | null, other: string | null) =>
  isSameText(stateName(one), stateName(other))
