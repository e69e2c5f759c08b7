import { startSalesforce } from '@guidon/sandbox/salesforce/salesforce'
import { runTasks } from '../support/outside/run-tasks.ts'
import { appointmentsOf, caseManagers, claimsOf, contacts, documentsOf } from './crm-rows.ts'

/** The Salesforce sandbox with all rows, in a separate process because it needs gigabytes. */

export interface CrmTask {
  contacts: number
}

runTasks(async ({ contacts: count }: CrmTask) => {
  const { url, load } = await startSalesforce({ resolution: 'seconds' })
  const managers = load('User', caseManagers())
  const ids = load('Contact', contacts(count, managers))
  load('Appointment__c', appointmentsOf(ids))
  load('Document_Request__c', documentsOf(ids))
  load('Claim__c', claimsOf(ids))
  // Collect the garbage now, or the first calls would wait seconds for it.
  globalThis.gc?.()
  return url
})
