import type { Fault } from './faults.ts'
import type { Usage } from './usage.ts'

const PATIENCE_MS = 20_000

export type StaffAction =
  | 'assign-case-manager'
  | 'add-appointment'
  | 'change-appointment'
  | 'cancel-appointment'
  | 'request-document'
  | 'edit-contact'
  | 'add-contact'
  | 'add-user'
  | 'add-row'
  | 'change-row'
  | 'delete-row'

export interface SalesforceControl {
  /** Does what the provider's staff would do, and answers the id of the row. */
  staff(action: StaffAction, order: Record<string, unknown>): Promise<string>
  fault(fault: Fault): Promise<void>
  /** Waits until a call is held. */
  hanging(): Promise<number>
  stats(): Promise<Usage & { hanging: number }>
  /** As if so many calls had been made today. */
  setUsed(used: number): Promise<void>
  /** Waits until a row with these values is there; none if it does not come. */
  rows<Row = Record<string, unknown>>(
    object: string,
    values?: Record<string, string>,
    waitMs?: number,
  ): Promise<Row[]>
  reset(): Promise<void>
}

/** How tests play the staff and the outages, in whichever process the sandbox runs. */
export function salesforceControl(url: string): SalesforceControl {
  async function ask<Answer>(method: string, path: string, order?: unknown): Promise<Answer> {
    const init = order === undefined ? { method } : { method, body: JSON.stringify(order) }
    const answer = await fetch(url + path, init)
    const body = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${body}`)
    return (body === '' ? undefined : JSON.parse(body)) as Answer
  }

  return {
    async staff(action, order) {
      return (await ask<{ id: string }>('POST', `/staff/${action}`, order)).id
    },
    async fault(fault) {
      await ask('PUT', '/faults', fault)
    },
    async hanging() {
      const { hanging } = await ask<{ hanging: number }>('GET', `/hanging?wait=${PATIENCE_MS}`)
      return hanging
    },
    stats: () => ask('GET', '/stats'),
    async setUsed(used) {
      await ask('PUT', '/usage', { used })
    },
    async rows<Row>(object: string, values: Record<string, string> = {}, waitMs = PATIENCE_MS) {
      const query = new URLSearchParams({ ...values, wait: String(waitMs) }).toString()
      return (await ask<{ rows: Row[] }>('GET', `/rows/${object}?${query}`)).rows
    },
    async reset() {
      await ask('POST', '/reset')
    },
  }
}
