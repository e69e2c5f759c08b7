import type { Role } from '@guidon/contract/account'
import { step } from '../../crm/outbox/outbox.ts'
import type { Outbox, Outcome, Sender, Step } from '../../crm/outbox/outbox.ts'
import type { ContactRow } from '../../crm/port.ts'
import { recordEvent } from '../../db/audit-events.ts'
import { findContactsByEmail } from '../../db/crm-contacts.ts'
import { hasEntry } from '../../db/crm-outbox.ts'
import type { OutboxEntry } from '../../db/crm-outbox.ts'
import type { Queryable, Tx } from '../../db/database.ts'
import { findBySalesforceId, findForCrm, setFirstSalesforceId } from '../../db/users.ts'
import { soleMatch } from './match.ts'

export interface Linking {
  /**
   * Links a veteran's account to a contact of the CRM, or requests a new contact, at the first sign-in.
   * Returns whether the account is linked to a contact that the provider had before.
   */
  linkAccount(tx: Tx, user: { userId: string; role: Role }): Promise<boolean>
}

/** Audited, because a link gives access to records. */
async function link(tx: Tx, userId: string, contactId: string): Promise<void> {
  if (!(await setFirstSalesforceId(tx, userId, contactId, 'linked'))) return
  await recordEvent(tx, {
    event: 'account_linked',
    subjectId: userId,
    details: { contact: contactId },
  })
}

/** Searches the mirror, so that it works while the CRM is unreachable. */
export function linking(outbox: Pick<Outbox, 'add'>): Linking {
  return {
    linkAccount: async (tx, { userId, role }) => {
      if (role !== 'USER') return false
      const person = await findForCrm(tx, userId)
      if (!person) return false
      if (person.salesforceId || (await hasEntry(tx, userId, 'contact'))) return person.linked
      const contact = soleMatch(await findContactsByEmail(tx, person.email), person)
      if (contact) await link(tx, userId, contact.id)
      await outbox.add(tx, { userId, kind: 'contact', entityId: userId })
      return contact !== undefined
    },
  }
}

/** The target of an entry that creates a contact. Any other without the prefix `UNLINK` is a contact's id. */
const NEW_CONTACT = 'new'
/** Prefix of a target: remove the id of the account from the contact whose id follows. */
const UNLINK = 'unlink '

/**
 * Sends an account to the CRM: links the contact that the provider had, or makes a new one. One round searches, and
 * stores which contact it will write to; a later one writes. After a write that may have taken effect, the CRM is
 * searched again.
 */
export const sendContact: Sender = async (entry, db) => {
  const person = await findForCrm(db, entry.userId)
  if (!person) return 'sent'
  if (!entry.searched || entry.target === null) return search(entry, person)
  return write(entry.target, person, db)
}

type Person = NonNullable<Awaited<ReturnType<typeof findForCrm>>>

function search(entry: OutboxEntry, { userId, email, salesforceId }: Person): Step {
  // If the account has a contact, only contacts with the account's id are searched for.
  const operation = { kind: 'findContacts', email: salesforceId ? '' : email, userId } as const
  return step(operation, async (contacts, tx) => {
    const person = await findForCrm(tx, userId)
    if (!person) return 'sent'
    // Staff changed the link during the search.
    if (person.salesforceId !== salesforceId) return 'again'
    return choose(entry, person, contacts, tx)
  })
}

/** Decides with the contacts that have the account's email or id. */
async function choose(
  entry: OutboxEntry,
  person: Person,
  contacts: readonly ContactRow[],
  tx: Tx,
): Promise<Outcome> {
  const { userId, salesforceId, linked, unlinkedFrom } = person
  const writeTo = (target: string) => ({ target, searched: true })
  const withOurId = contacts.filter(({ portalUserId }) => portalUserId === userId)
  const own = withOurId[0]
  if (salesforceId && linked) {
    const isDone = own?.id === salesforceId && withOurId.length === 1
    return isDone ? 'sent' : writeTo(salesforceId)
  }
  const wronglyOurs = withOurId.find(({ id }) => id === unlinkedFrom)
  if (wronglyOurs) return writeTo(UNLINK + wronglyOurs.id)
  if (salesforceId) return 'sent'
  // Staff linked it to another account. Remove our id, or the upsert by our id would overwrite it.
  if (own && (await findBySalesforceId(tx, own.id))) return writeTo(UNLINK + own.id)
  if (own) {
    // An earlier try wrote our id there, but its response was lost. Keep what the provider changed since.
    if (entry.target === NEW_CONTACT) await setFirstSalesforceId(tx, userId, own.id, 'created')
    else await link(tx, userId, own.id)
    return 'sent'
  }
  const match = soleMatch(contacts, person)
  const isFree = match?.portalUserId === null && match.id !== unlinkedFrom
  const mayLink = isFree && !(await findBySalesforceId(tx, match.id))
  return writeTo(mayLink ? match.id : NEW_CONTACT)
}

async function write(
  target: string,
  { salesforceId, linked, unlinkedFrom, ...outgoing }: Person,
  db: Queryable,
): Promise<Step | 'sent' | 'again'> {
  const { userId } = outgoing
  if (salesforceId && linked) {
    return step({ kind: 'linkContact', contactId: salesforceId, userId }, async () => 'sent')
  }
  if (target.startsWith(UNLINK)) {
    const contactId = target.slice(UNLINK.length)
    return step({ kind: 'unlinkContact', contactId, userId }, async () => 'again')
  }
  if (salesforceId) return 'sent'
  if (target === unlinkedFrom) return 'again'
  if (target !== NEW_CONTACT) {
    // Staff linked it to another account meanwhile.
    if (await findBySalesforceId(db, target)) return 'again'
    return step({ kind: 'linkContact', contactId: target, userId }, async (_, tx) => {
      await link(tx, userId, target)
      return 'sent'
    })
  }
  return step({ kind: 'upsertContact', contact: outgoing }, async (id, tx) => {
    await setFirstSalesforceId(tx, userId, id, 'created')
    return 'sent'
  })
}
