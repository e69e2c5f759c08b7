import { boot } from '@guidon/tests/boot'
import { newOrg } from '@guidon/tests/org'
import { expect, it } from 'vitest'

const org = await newOrg({ stateCodes: true })
const testApp = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '1' } })

it('a sign-up with a state arrives in an org with State and Country picklists, and the name of the state is read back', async () => {
  const { userId } = await testApp.signedUp()
  const [contact] = await org.rows('Contact', { Portal_User_Id__c: userId })
  expect(contact).toMatchObject({ MailingStateCode: 'CA', MailingCountryCode: 'US' })
  const mirrored = async () => {
    const { rows } = await testApp.sql.query('select state from crm_contact where id = $1', [
      contact!['Id'],
    ])
    return rows
  }
  await expect.poll(mirrored).toEqual([{ state: 'California' }])
})
