import { afterEach, beforeEach } from 'vitest'
import type { Crm, Kind } from '../../../api/src/crm/port.ts'
import type { SingleOperations } from './single-operations.ts'

export type Outage =
  | 'down'
  | 'hang'
  | '500'
  | '429'
  | 'quota'
  | 'expired-token'
  /** The response ends in its middle. */
  | 'truncated'
  | 'slow'
  /** The call takes effect, and its response does not arrive. */
  | 'lost'

/** A CRM with its adapter, and the actions of the provider's staff, independent of the vendor. */
export interface CrmSetup {
  crm: Crm & SingleOperations
  addContact(contact: { lastName: string; firstName?: string; email?: string }): Promise<string>
  /** Adds many contacts; their times of change cycle through `moments`. */
  loadContacts(count: number, moments: readonly string[]): string[]
  /** Merges one contact into another one. */
  mergeContacts(survivor: string, loser: string): Promise<void>
  changeContact(id: string, change: { phone?: string; boxFolderId?: string }): Promise<void>
  /** The ids of possible case managers. */
  staff(): Promise<string[]>
  assignCaseManager(contactId: string, userId: string): Promise<void>
  addAppointment(
    contactId: string,
    appointment: { date: string; time: string; clinicName?: string; clinicPhone?: string },
  ): Promise<string>
  cancelAppointment(id: string): Promise<void>
  requestDocument(
    contactId: string,
    document: { name: string; type: string; dueDate?: string; reason?: string },
  ): Promise<string>
  refuseDocument(documentId: string, statusReason: string): Promise<void>
  addClaim(
    contactId: string,
    claim: { title: string; stage: string; since?: string; reason?: string; nextStep?: string },
  ): Promise<string>
  remove(id: string): Promise<void>
  /** The CRM's rows that are not deleted, for kinds that the portal only writes. */
  contactRequests(): Promise<{ id: string; contactId: string; method: string }[]>
  intakes(): Promise<{ id: string; contactId: string; [answer: string]: unknown }[]>

  /** Calls counted against the quota so far, and token requests. */
  spent(): Promise<{ calls: number; tokens: number }>
  setUsed(calls: number): Promise<void>
  outage(
    outage: Outage | 'none',
    options?: { times?: number; milliseconds?: number },
  ): Promise<void>
  /** Advances the adapter's clock. */
  pass(milliseconds: number): void
  close(): Promise<void>
}

export type MakeCrmSetup = (options?: { timeoutMs?: number }) => Promise<CrmSetup>

/** Returns one object that holds a new setup in each test. */
export function setupForEach(makeSetup: MakeCrmSetup): CrmSetup {
  const setup = {} as CrmSetup
  beforeEach(async () => {
    Object.assign(setup, await makeSetup())
  })
  afterEach(() => setup.close())
  return setup
}

/** The number of rows that are not deleted, up to a page of them. */
export async function countIn(crm: Crm, kind: Kind): Promise<number> {
  return (await crm.versions(kind, '')).rows.length
}
