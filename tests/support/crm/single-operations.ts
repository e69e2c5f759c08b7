import type {
  Crm,
  CrmOperation,
  CrmOperations,
  OutgoingContact,
  OutgoingContactRequest,
  OutgoingDocument,
  OutgoingIntake,
} from '../../../api/src/crm/port.ts'

/** Sends each operation alone, and throws its failure. */
export function singleOperations(crm: Pick<Crm, 'send'>) {
  async function send<Operation extends CrmOperation>(operation: Operation) {
    const [result] = await crm.send([operation])
    if (result instanceof Error) throw result
    if (typeof result !== 'object') throw new Error('the operation was not sent')
    return result.value as CrmOperations[Operation['kind']]['value']
  }
  return {
    upsertContact: (contact: OutgoingContact) => send({ kind: 'upsertContact', contact }),
    linkContact: (contactId: string, userId: string) =>
      send({ kind: 'linkContact', contactId, userId }),
    unlinkContact: (contactId: string, userId: string) =>
      send({ kind: 'unlinkContact', contactId, userId }),
    findBoxFolder: (contactId: string) => send({ kind: 'findBoxFolder', contactId }),
    setBoxFolder: (contactId: string, boxFolderId: string) =>
      send({ kind: 'setBoxFolder', contactId, boxFolderId }),
    searchContacts: (email: string, userId: string) =>
      send({ kind: 'findContacts', email, userId }),
    upsertContactRequest: (request: OutgoingContactRequest) =>
      send({ kind: 'upsertContactRequest', request }),
    upsertIntake: (intake: OutgoingIntake) => send({ kind: 'upsertIntake', intake }),
    upsertDocument: (document: OutgoingDocument) => send({ kind: 'upsertDocument', document }),
  }
}
export type SingleOperations = ReturnType<typeof singleOperations>
