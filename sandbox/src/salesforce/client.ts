import { controlClient } from '../control-client.ts'
import type { Fault } from './faults.ts'
import type { Usage } from './usage.ts'

const WAIT_MS = 20_000

type StaffAction =
  | 'assign-case-manager'
  | 'add-appointment'
  | 'change-appointment'
  | 'cancel-appointment'
  | 'request-document'
  | 'change-document'
  | 'add-claim'
  | 'change-claim'
  | 'edit-contact'
  | 'merge-contacts'
  | 'add-contact'
  | 'add-user'
  | 'add-row'
  | 'change-row'
  | 'delete-row'

export interface SalesforceControl {
  /** Does what the provider's staff would do, and returns the id of the row. */
  staff(action: StaffAction, fields: Record<string, unknown>): Promise<string>
  fault(fault: Fault): Promise<void>
  /** Waits until a call is held. */
  waitForHeldCall(): Promise<number>
  stats(): Promise<Usage & { hanging: number }>
  /** Sets the number of calls made today. */
  setUsed(used: number): Promise<void>
  /** Waits until a row has these values; empty if there is none in time. */
  rows<Row = Record<string, unknown>>(
    object: string,
    values?: Record<string, string>,
    waitMs?: number,
  ): Promise<Row[]>
  /** Hides fields (`Contact.Email`) and objects (`Intake__c`) from the portal's user; replaces what was hidden before. */
  hide(names: readonly string[]): Promise<void>
  reset(): Promise<void>
}

/** Controls the Salesforce sandbox over HTTP: injects faults, and acts as the provider's staff. */
export function salesforceControl(url: string): SalesforceControl {
  const request = controlClient(url)
  return {
    async staff(action, fields) {
      const body = JSON.stringify(fields)
      return (await request<{ id: string }>('POST', `/staff/${action}`, body)).id
    },
    async fault(fault) {
      await request('PUT', '/faults', JSON.stringify(fault))
    },
    async waitForHeldCall() {
      return (await request<{ hanging: number }>('GET', `/hanging?wait=${WAIT_MS}`)).hanging
    },
    stats: () => request('GET', '/stats'),
    async setUsed(used) {
      await request('PUT', '/usage', JSON.stringify({ used }))
    },
    async rows<Row>(object: string, values: Record<string, string> = {}, waitMs = WAIT_MS) {
      const query = new URLSearchParams({ ...values, wait: String(waitMs) }).toString()
      return (await request<{ rows: Row[] }>('GET', `/rows/${object}?${query}`)).rows
    },
    async hide(names) {
      await request('PUT', '/hidden', JSON.stringify(names))
    },
    async reset() {
      await request('POST', '/reset')
    },
  }
}
