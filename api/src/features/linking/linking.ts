import type { Role } from '@guidon/contract/account'
import type { Outbox, PreparedSend } from '../../crm/outbox/outbox.ts'
import type { Crm } from '../../crm/port.ts'
import { recordEvent } from '../../db/audit-events.ts'
import { findContactsByEmail } from '../../db/crm-contacts.ts'
import { hasEntry } from '../../db/crm-outbox.ts'
import type { Tx } from '../../db/database.ts'
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

/** The target of an entry that makes a contact. Any other target is the id of a contact that the provider had. */
const NEW_CONTACT = 'new'

/** Sends an account to the CRM: links the contact that the provider had, or makes a new one. */
export function sendContact(
  crm: Pick<Crm, 'findContacts' | 'linkContact' | 'unlinkContact' | 'upsertContact'>,
): PreparedSend {
  return {
    prepare: async ({ userId, target }, tx) => {
      const person = await findForCrm(tx, userId)
      if (!person) return NEW_CONTACT
      if (person.salesforceId) return person.linked ? person.salesforceId : NEW_CONTACT
      // The mirror may not have this contact yet.
      const contacts = await crm.findContacts(person.email, userId)
      const mayLink = ({ id }: { id: string }) => id !== person.unlinkedFrom
      const own = contacts.find(({ portalUserId }) => portalUserId === userId)
      if (own && (await findBySalesforceId(tx, own.id))) {
        // Staff linked it to another account. Remove our id, or the upsert by our id would overwrite it.
        await crm.unlinkContact(own.id, userId)
        return NEW_CONTACT
      }
      if (own && mayLink(own)) {
        // An earlier try wrote our id there, but its response was lost. Keep what the provider changed since.
        if (target === NEW_CONTACT) await setFirstSalesforceId(tx, userId, own.id, 'created')
        return target === NEW_CONTACT ? NEW_CONTACT : own.id
      }
      const match = soleMatch(contacts, person)
      const isFree = match?.portalUserId === null && mayLink(match)
      return isFree && !(await findBySalesforceId(tx, match.id)) ? match.id : NEW_CONTACT
    },
    send: async ({ userId, target }, tx) => {
      const person = await findForCrm(tx, userId)
      if (!person) return
      const { salesforceId, linked, unlinkedFrom, ...outgoing } = person
      if (linked && salesforceId) return crm.linkContact(salesforceId, userId)
      if (unlinkedFrom) await crm.unlinkContact(unlinkedFrom, userId)
      if (salesforceId) return
      if (target === unlinkedFrom) return 'again'
      if (target !== NEW_CONTACT) {
        // Staff linked it to another account meanwhile.
        if (await findBySalesforceId(tx, target)) return 'again'
        await crm.linkContact(target, userId)
        return link(tx, userId, target)
      }
      await setFirstSalesforceId(tx, userId, await crm.upsertContact(outgoing), 'created')
    },
  }
}
