import { salesforceControl } from '@guidon/sandbox/salesforce/client'
import type { SalesforceControl } from '@guidon/sandbox/salesforce/client'
import { SANDBOX_CLIENT } from '@guidon/sandbox/salesforce/rest/sessions'
import { startSalesforce } from '@guidon/sandbox/salesforce/salesforce'
import type { Salesforce } from '@guidon/sandbox/salesforce/salesforce'
import { defaultMapping } from '../../../api/src/crm/salesforce/default-mapping.ts'
import { salesforceCrm } from '../../../api/src/crm/salesforce/salesforce-crm.ts'
import type { SalesforceOptions } from '../../../api/src/crm/salesforce/salesforce-crm.ts'
import type { CrmSetup } from './crm-setup.ts'
import { singleOperations } from './single-operations.ts'

export interface SalesforceSetup extends CrmSetup {
  url: string
  control: SalesforceControl
  load: Salesforce['load']
  /** The arguments of each log call. */
  lines: unknown[][]
}

type RawRecord = Record<string, string>

/** A new sandbox and an adapter for it. */
export async function salesforceSetup(
  options: Partial<SalesforceOptions> & { publicKey?: string; stateCodes?: boolean } = {},
): Promise<SalesforceSetup> {
  const { publicKey, stateCodes = false, ...overrides } = options
  const client = publicKey === undefined ? SANDBOX_CLIENT : { ...SANDBOX_CLIENT, publicKey }
  const salesforce = await startSalesforce({ client, stateCodes })
  const control = salesforceControl(salesforce.url)
  const lines: unknown[][] = []
  const record = (...line: unknown[]) => void lines.push(line)
  let passed = 0
  const crm = salesforceCrm({
    loginUrl: salesforce.url,
    clientId: client.id,
    auth: { kind: 'client-credentials', clientSecret: client.secret },
    mapping: defaultMapping,
    log: { debug: record, warn: record, error: record },
    now: () => passed,
    ...overrides,
  })
  const rows = (object: string) => control.rows<RawRecord>(object, {}, 0)

  return {
    crm: { ...crm, ...singleOperations(crm) },
    control,
    load: salesforce.load,
    lines,
    url: salesforce.url,
    addContact: ({ firstName, lastName, email }) =>
      control.staff('add-contact', { FirstName: firstName, LastName: lastName, Email: email }),
    loadContacts: (count, moments) =>
      salesforce.load(
        'Contact',
        Array.from({ length: count }, (_, at) => ({
          LastName: `Number ${at}`,
          SystemModstamp: moments[at % moments.length],
        })),
      ),
    async mergeContacts(survivor, loser) {
      await control.staff('merge-contacts', { contactId: survivor, loserId: loser })
    },
    async changeContact(contactId, { phone, boxFolderId }) {
      const fields = {
        ...(phone === undefined ? {} : { Phone: phone }),
        ...(boxFolderId === undefined ? {} : { Box_Folder_Id__c: boxFolderId }),
      }
      await control.staff('edit-contact', { contactId, ...fields })
    },
    staff: async () => (await rows('User')).map((row) => row['Id']!),
    async assignCaseManager(contactId, userId) {
      await control.staff('assign-case-manager', { contactId, userId })
    },
    addAppointment: (contactId, appointment) =>
      control.staff('add-appointment', { contactId, ...appointment }),
    async cancelAppointment(appointmentId) {
      await control.staff('cancel-appointment', { appointmentId })
    },
    requestDocument: (contactId, document) =>
      control.staff('request-document', { contactId, ...document }),
    async refuseDocument(documentId, statusReason) {
      await control.staff('change-document', { documentId, status: 'Not usable', statusReason })
    },
    addClaim: (contactId, claim) => control.staff('add-claim', { contactId, ...claim }),
    async remove(id) {
      await control.staff('delete-row', { id })
    },
    async contactRequests() {
      const found = await rows('Contact_Request__c')
      return found.map((row) => ({
        id: row['Id']!,
        contactId: row['Veteran__c']!,
        method: row['Method__c']!,
      }))
    },
    async intakes() {
      const { fields } = defaultMapping.intake
      const found = await rows('Intake__c')
      const names = Object.entries({ ...fields, id: 'Id', contactId: 'Veteran__c' })
      return found.map((row) => {
        const answers = names.map(([ours, theirs]) => [ours, row[theirs]])
        return Object.fromEntries(answers) as { id: string; contactId: string }
      })
    },
    async spent() {
      const { used, calls } = await control.stats()
      return { calls: used, tokens: calls.token }
    },
    setUsed: (calls) => control.setUsed(calls),
    outage: (mode, { times, milliseconds } = {}) =>
      control.fault({
        mode,
        ...(times === undefined ? {} : { times }),
        ...(milliseconds === undefined ? {} : { milliseconds }),
      }),
    pass: (milliseconds) => void (passed += milliseconds),
    async close() {
      await crm.close()
      await salesforce.close()
    },
  }
}
