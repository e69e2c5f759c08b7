import { crmSuite } from '@guidon/tests/crm/crm-suite'
import { salesforceSetup } from '@guidon/tests/crm/salesforce-setup'

crmSuite('Salesforce', salesforceSetup)
