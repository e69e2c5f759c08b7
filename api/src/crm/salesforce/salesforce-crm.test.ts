import { crmSuite } from '../../../test/crm/crm-suite.ts'
import { salesforceHouse } from '../../../test/crm/salesforce-house.ts'

crmSuite('Salesforce', salesforceHouse)
