import { salesforceControl } from '@guidon/sandbox/salesforce/client'
import type { SalesforceControl } from '@guidon/sandbox/salesforce/client'
import { startSalesforce } from '@guidon/sandbox/salesforce/salesforce'
import type { Salesforce, SalesforceOptions } from '@guidon/sandbox/salesforce/salesforce'
import { afterAll } from 'vitest'

export interface Org extends SalesforceControl {
  load: Salesforce['load']
  /** For `boot`: its worker reads and writes this org. */
  environment: Record<string, string>
}

/** An org of a test file's own, so that its calls and rows can be counted. */
export async function newOrg(options: SalesforceOptions = {}): Promise<Org> {
  const salesforce = await startSalesforce(options)
  afterAll(() => salesforce.close())
  return {
    ...salesforceControl(salesforce.url),
    load: salesforce.load,
    environment: { SALESFORCE_LOGIN_URL: salesforce.url },
  }
}
