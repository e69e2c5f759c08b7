import type { Role } from '@guidon/contract/account'
import { currentLink, holderOf, wasEnded } from '../../crm/links/links.sql.ts'
import type { CurrentLink } from '../../crm/links/links.sql.ts'
import type { Candidate, Links } from '../../crm/links/links.ts'
import { findContactsByEmail } from '../../crm/mirror/contacts.sql.ts'
import { hasEntry } from '../../crm/outbox/outbox.sql.ts'
import type { OutboxEntry } from '../../crm/outbox/outbox.sql.ts'
import { step } from '../../crm/outbox/outbox.ts'
import type { Outbox, Outcome, Sender, Step } from '../../crm/outbox/outbox.ts'
import type { ContactRow } from '../../crm/port.ts'
import type { Queryable, Tx } from '../../db/database.ts'
import { findForCrm, lockUsers } from '../../db/users.ts'

export interface Linking {
  /**
   * Links a veteran's account to a contact of the CRM, or requests a new contact, at the first sign-in.
   * Returns whether the account is linked to a contact that the provider had before.
   */
  linkAccount(tx: Tx, user: { userId: string; role: Role }): Promise<boolean>
}

export interface LinkingParts {
  outbox: Pick<Outbox, 'add'>
  links: Links
}

/**
 * The contact that may be linked at once. Staff are asked about the others that the rule does not exclude, unless they have
 * answered before.
 */
async function chooseContact(
  tx: Tx,
  links: Links,
  userId: string,
  contacts: readonly Candidate[],
): Promise<Candidate | undefined> {
  for (const contact of contacts) {
    const rule = await links.answer(tx, userId, contact, contacts)
    if (rule.answer === 'yes') return contact
    if (rule.answer === 'ask' && rule.question !== 'otherContact') {
      await links.ask(tx, { userId, contactId: contact.id, origin: 'signUp' }, rule.question)
    }
  }
  return undefined
}

/** Searches the mirror, so that it works while the CRM is unreachable. */
export function linking({ outbox, links }: LinkingParts): Linking {
  return {
    linkAccount: async (tx, { userId, role }) => {
      if (role !== 'USER') return false
      const person = await findForCrm(tx, userId)
      if (!person) return false
      const current = await currentLink(tx, userId)
      if (current || (await hasEntry(tx, userId, 'contact'))) {
        return current !== undefined && current.origin !== 'portal'
      }
      const known = await findContactsByEmail(tx, person.email)
      const contact = await chooseContact(tx, links, userId, known)
      if (contact) await links.open(tx, { userId, contactId: contact.id, origin: 'signUp' })
      else await outbox.add(tx, { userId, kind: 'contact', entityId: userId })
      return contact !== undefined
    },
  }
}

/** The target of an entry that creates a contact. Any other without the prefix `UNLINK` is a contact's id. */
const NEW_CONTACT = 'new'
/** Prefix of a target: remove the id of the account from the contact whose id follows. */
const UNLINK = 'unlink '

/** Whether staff or the rule chose the contact, so that the CRM must get the account's id there. */
const isProviders = (link: CurrentLink | undefined) =>
  link !== undefined && link.origin !== 'portal'

/**
 * Sends an account to the CRM: links the contact that the provider had, makes a new one, or writes the address that the
 * veteran said to the one that the portal made. One round searches, and
 * stores which contact it will write to; a later one writes. After a write that may have taken effect, the CRM is
 * searched again.
 */
export function sendContact(links: Links): Sender {
  return async (entry, db) => {
    const person = await findForCrm(db, entry.userId)
    if (!person) return 'sent'
    const current = await currentLink(db, entry.userId)
    if (!entry.searched || entry.target === null) return search(links, entry, person, current)
    return write(links, entry.target, person, current, db)
  }
}

type Person = NonNullable<Awaited<ReturnType<typeof findForCrm>>>

function search(
  links: Links,
  entry: OutboxEntry,
  { userId, email, address }: Person,
  current: CurrentLink | undefined,
): Step {
  // If the account has a contact, only contacts with the account's id are searched for.
  const operation = { kind: 'findContacts', email: current ? '' : email, userId } as const
  return step(operation, async (contacts, tx) => {
    await lockUsers(tx, [userId])
    const now = await currentLink(tx, userId)
    // The link changed during the search.
    if (now?.id !== current?.id) return 'again'
    return choose(links, { ...entry, hasAddress: address !== null }, now, contacts, tx)
  })
}

/** Decides with the contacts that have the account's email or id. */
async function choose(
  links: Links,
  { userId, target, hasAddress }: OutboxEntry & { hasAddress: boolean },
  current: CurrentLink | undefined,
  contacts: readonly ContactRow[],
  tx: Tx,
): Promise<Outcome> {
  const writeTo = (contact: string) => ({ target: contact, searched: true })
  const withOurId = contacts.filter(({ portalUserId }) => portalUserId === userId)
  const own = withOurId[0]
  if (current && isProviders(current)) {
    const isDone = own?.id === current.contactId && withOurId.length === 1
    return isDone ? 'sent' : writeTo(current.contactId)
  }
  for (const { id } of withOurId) {
    if (id !== current?.contactId && (await wasEnded(tx, userId, id))) return writeTo(UNLINK + id)
  }
  if (current) return hasAddress ? writeTo(current.contactId) : 'sent'
  if (own) {
    // An earlier try made it, but its response was lost. Keep what the provider changed since.
    if (target === NEW_CONTACT && !(await holderOf(tx, own.id))) {
      await links.made(tx, userId, own.id)
      return 'sent'
    }
    // An earlier try linked it, or somebody wrote our id there, which proves nothing.
    const contact = await chooseContact(tx, links, userId, [own])
    if (!contact) return writeTo(UNLINK + own.id)
    await links.open(tx, { userId, contactId: own.id, origin: 'signUp' }, { isInCrm: true })
    return 'sent'
  }
  const contact = await chooseContact(tx, links, userId, contacts)
  return writeTo(contact?.id ?? NEW_CONTACT)
}

async function write(
  links: Links,
  target: string,
  person: Person,
  current: CurrentLink | undefined,
  db: Queryable,
): Promise<Step | 'sent' | 'again'> {
  const { address, ...rest } = person
  const { userId } = rest
  if (current && isProviders(current)) {
    return step({ kind: 'linkContact', contactId: current.contactId, userId }, async () => 'sent')
  }
  if (target.startsWith(UNLINK)) {
    const contactId = target.slice(UNLINK.length)
    return step({ kind: 'unlinkContact', contactId, userId }, async () => 'again')
  }
  if (current) {
    // Staff may have corrected everything else of the contact, so only what was said since is written.
    if (!address) return 'sent'
    const { contactId } = current
    return step({ kind: 'setAddress', contactId, address }, async () => 'sent')
  }
  if (target !== NEW_CONTACT) {
    // Staff linked it to another account meanwhile, or ended the link.
    if ((await holderOf(db, target)) || (await wasEnded(db, userId, target))) return 'again'
    return step({ kind: 'linkContact', contactId: target, userId }, async (_, tx) => {
      await lockUsers(tx, [userId])
      if (await currentLink(tx, userId)) return 'again'
      await links.open(tx, { userId, contactId: target, origin: 'signUp' }, { isInCrm: true })
      return 'sent'
    })
  }
  return step({ kind: 'upsertContact', contact: { ...rest, ...address } }, async (id, tx) => {
    await lockUsers(tx, [userId])
    return (await links.made(tx, userId, id)) ? 'sent' : 'again'
  })
}
