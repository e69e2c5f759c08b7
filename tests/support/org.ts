import { salesforceControl } from '@guidon/sandbox/salesforce/client'
import type { SalesforceControl } from '@guidon/sandbox/salesforce/client'
import { startSalesforce } from '@guidon/sandbox/salesforce/salesforce'
import type { Salesforce, SalesforceOptions } from '@guidon/sandbox/salesforce/salesforce'
import { seedDemoCrm } from '@guidon/sandbox/stack/demo-crm'
import { afterFile } from './after-file.ts'

export interface Org extends SalesforceControl {
  load: Salesforce['load']
  purge: Salesforce['purge']
  /** Adds the data of `npm run dev`. */
  seedDemo(): Promise<void>
  /** Pass it to `boot`, so that the worker uses this org. */
  environment: Record<string, string>
}

/** A Salesforce org for one test file, so that it can count calls and rows. */
export async function newOrg(options: SalesforceOptions = {}): Promise<Org> {
  const salesforce = await startSalesforce(options)
  afterFile(() => salesforce.close())
  return {
    ...salesforceControl(salesforce.url),
    load: salesforce.load,
    purge: salesforce.purge,
    seedDemo: () => seedDemoCrm(salesforce.url),
    environment: { SALESFORCE_LOGIN_URL: salesforce.url },
  }
}
