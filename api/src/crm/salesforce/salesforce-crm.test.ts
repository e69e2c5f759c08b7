import { crmSuite } from '../../../test/crm/crm-suite.ts'
import { salesforceSetup } from '../../../test/crm/salesforce-setup.ts'

crmSuite('Salesforce', salesforceSetup)
