import { afterEach, beforeEach } from 'vitest'
import type { Crm } from '../../src/crm/port.ts'

export type Outage =
  | 'down'
  | 'hang'
  | '500'
  | '429'
  | 'quota'
  | 'expired-token'
  | 'truncated'
  | 'slow'
  | 'lost'

/** A CRM with its adapter, and the hands of the provider's staff in it. In our words, whoever the vendor is. */
export interface CrmSetup {
  crm: Crm
  addContact(contact: { lastName: string; firstName?: string; email?: string }): Promise<string>
  /** Many at once, all of them changed at these moments in turn. */
  loadContacts(count: number, moments: readonly string[]): string[]
  changeContact(id: string, change: { phone?: string; boxFolderId?: string }): Promise<void>
  /** The ids of those who can be a case manager. */
  staff(): Promise<string[]>
  assignCaseManager(contactId: string, userId: string): Promise<void>
  addAppointment(
    contactId: string,
    appointment: { date: string; time: string; clinicName?: string; clinicPhone?: string },
  ): Promise<string>
  cancelAppointment(id: string): Promise<void>
  requestDocument(contactId: string, document: { name: string; type: string }): Promise<string>
  remove(id: string): Promise<void>
  /** Living rows of what the portal only writes, as the CRM holds them. */
  contactRequests(): Promise<{ id: string; contactId: string; method: string }[]>
  intakes(): Promise<{ id: string; contactId: string; [answer: string]: unknown }[]>

  /** Calls of the quota so far, and requests for a token. */
  spent(): Promise<{ calls: number; tokens: number }>
  setUsed(calls: number): Promise<void>
  outage(
    outage: Outage | 'none',
    options?: { times?: number; milliseconds?: number },
  ): Promise<void>
  /** Lets time pass for the adapter. */
  pass(milliseconds: number): void
  close(): Promise<void>
}

export type MakeCrmSetup = (options?: { timeoutMs?: number }) => Promise<CrmSetup>

/** A house of its own for each test, always under the same name. */
export function setupForEach(makeSetup: MakeCrmSetup): CrmSetup {
  const setup = {} as CrmSetup
  beforeEach(async () => {
    Object.assign(setup, await makeSetup())
  })
  afterEach(() => setup.close())
  return setup
}
