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
  /** At the first arrival with a proven email. Answers whether the account is linked to an existing contact. */
  arrive(tx: Tx, person: { userId: string; role: Role }): Promise<boolean>
}

/** Linking gives access to records, so it is in the log. */
async function link(tx: Tx, userId: string, contactId: string): Promise<void> {
  if (!(await setFirstSalesforceId(tx, userId, contactId, 'linked'))) return
  await recordEvent(tx, {
    event: 'account_linked',
    subjectId: userId,
    details: { contact: contactId },
  })
}

/** Asks the mirror, so that it works while the CRM is away. */
export function linking(outbox: Pick<Outbox, 'add'>): Linking {
  return {
    arrive: async (tx, { userId, role }) => {
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

/** The target of an entry that makes a contact; any other target is the id of one that the provider had. */
const NEW = 'new'

/** Tells the CRM of an account: on the contact it is linked to, else on one of its own. */
export function sendContact(
  crm: Pick<Crm, 'findContacts' | 'linkContact' | 'unlinkContact' | 'upsertContact'>,
): PreparedSend {
  return {
    prepare: async ({ userId, target }, tx) => {
      const person = await findForCrm(tx, userId)
      if (!person) return NEW
      if (person.salesforceId) return person.linked ? person.salesforceId : NEW
      // The contact may have been added since the mirror was last read, or before it was first read.
      const contacts = await crm.findContacts(person.email, userId)
      const mayHave = ({ id }: { id: string }) => id !== person.unlinkedFrom
      const own = contacts.find(({ portalUserId }) => portalUserId === userId)
      if (own && (await findBySalesforceId(tx, own.id))) {
        // Staff gave it to another account. Our id goes, else a contact made by our id would be written over it.
        await crm.unlinkContact(own.id, userId)
        return NEW
      }
      if (own && mayHave(own)) {
        // An earlier try wrote our id there and its answer was lost; what the provider wrote since stays.
        if (target === NEW) await setFirstSalesforceId(tx, userId, own.id, 'created')
        return target === NEW ? NEW : own.id
      }
      const match = soleMatch(contacts, person)
      const isFree = match?.portalUserId === null && mayHave(match)
      return isFree && !(await findBySalesforceId(tx, match.id)) ? match.id : NEW
    },
    send: async ({ userId, target }, tx) => {
      const person = await findForCrm(tx, userId)
      if (!person) return
      const { salesforceId, linked, unlinkedFrom, ...outgoing } = person
      if (linked && salesforceId) return crm.linkContact(salesforceId, userId)
      if (unlinkedFrom) await crm.unlinkContact(unlinkedFrom, userId)
      if (salesforceId) return
      if (target === unlinkedFrom) return 'again'
      if (target !== NEW) {
        // Staff gave it to another account meanwhile.
        if (await findBySalesforceId(tx, target)) return 'again'
        await crm.linkContact(target, userId)
        return link(tx, userId, target)
      }
      await setFirstSalesforceId(tx, userId, await crm.upsertContact(outgoing), 'created')
    },
  }
}
