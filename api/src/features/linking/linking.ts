import type { Role } from '@guidon/contract/account'
import type { Outbox } from '../../crm/outbox/outbox.ts'
import type { Crm } from '../../crm/port.ts'
import { recordEvent } from '../../db/audit-events.ts'
import { findContactsByEmail } from '../../db/crm-contacts.ts'
import { hasEntry } from '../../db/crm-outbox.ts'
import type { OutboxEntry } from '../../db/crm-outbox.ts'
import type { Tx } from '../../db/database.ts'
import { findForCrm, setSalesforceId } from '../../db/users.ts'
import { soleMatch } from './match.ts'

export interface Linking {
  /** At the first arrival with a proven email. Answers whether the account is linked to an existing contact. */
  arrive(tx: Tx, person: { userId: string; role: Role }): Promise<boolean>
}

/** Linking gives access to records, so it is in the log. */
async function link(tx: Tx, userId: string, contactId: string): Promise<void> {
  await setSalesforceId(tx, userId, contactId, 'linked')
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

/** Tells the CRM of an account: on the contact it is linked to, else on one of its own. */
export function sendContact(
  crm: Pick<Crm, 'findContacts' | 'linkContact' | 'unlinkContact' | 'upsertContact'>,
) {
  return async ({ userId }: OutboxEntry, tx: Tx): Promise<void> => {
    const person = await findForCrm(tx, userId)
    if (!person) return
    if (person.linked && person.salesforceId) {
      return crm.linkContact(person.salesforceId, userId)
    }
    if (person.unlinkedFrom) await crm.unlinkContact(person.unlinkedFrom, userId)
    // The contact may have been added since the mirror was last read, or before it was first read.
    const contact = soleMatch(await crm.findContacts(person.email), person)
    const isTheirs = contact?.portalUserId === null && contact.id !== person.unlinkedFrom
    if (contact && isTheirs) {
      await crm.linkContact(contact.id, userId)
      await link(tx, userId, contact.id)
      return
    }
    const { salesforceId: _, linked: __, unlinkedFrom: ___, ...outgoing } = person
    await setSalesforceId(tx, userId, await crm.upsertContact(outgoing), 'made')
  }
}
