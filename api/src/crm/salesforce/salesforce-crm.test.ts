import { crmSuite } from '../../../test/crm/crm-suite.ts'
import { salesforceHouse } from '../../../test/crm/salesforce-setup.ts'

crmSuite('Salesforce', salesforceHouse)
