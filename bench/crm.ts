import { startSalesforce } from '@guidon/sandbox/salesforce/salesforce'
import { answerTasks } from './answer-tasks.ts'
import { appointmentsOf, caseManagers, contacts, documentsOf } from './crm-rows.ts'

/** The provider's org with all its rows, in a process of its own: it needs gigabytes. */

export interface CrmTask {
  contacts: number
}

answerTasks(async ({ contacts: count }: CrmTask) => {
  const { url, load } = await startSalesforce({ resolution: 'seconds' })
  const managers = load('User', caseManagers())
  const ids = load('Contact', contacts(count, managers))
  load('Appointment__c', appointmentsOf(ids))
  load('Document_Request__c', documentsOf(ids))
  // What loading left behind would else be collected, for seconds, while the first calls wait.
  globalThis.gc?.()
  return url
})
