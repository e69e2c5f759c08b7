import { expect, it, onTestFinished } from 'vitest'
import { startSalesforce } from './salesforce.ts'
import { connect } from './testing.ts'

async function org() {
  const salesforce = await startSalesforce({ stateCodes: true })
  onTestFinished(() => salesforce.close())
  const connection = await connect(salesforce.url)
  const contacts = connection.sobject('Contact')
  return {
    connection,
    add: async (fields: Record<string, unknown>) => {
      const { id } = await contacts.create({ LastName: 'Whitfield', ...fields })
      return contacts.retrieve(id!)
    },
  }
}

it('sets the names of a state and a country from their codes', async () => {
  const { add } = await org()
  expect(await add({ MailingStateCode: 'CA', MailingCountryCode: 'US' })).toMatchObject({
    MailingStateCode: 'CA',
    MailingState: 'California',
    MailingCountryCode: 'US',
    MailingCountry: 'United States',
  })
})

it('sets the codes from the names', async () => {
  const { add } = await org()
  const names = { MailingState: 'Ohio', MailingCountry: 'United States' }
  expect(await add(names)).toMatchObject({ MailingStateCode: 'OH', MailingCountryCode: 'US' })
})

it.each([
  ['a code as the name of a state', { MailingState: 'CA', MailingCountry: 'United States' }],
  ['a state without a country', { MailingStateCode: 'CA' }],
  ['an unknown country', { MailingCountry: 'Atlantis' }],
])('refuses %s', async (_what, fields) => {
  const { add } = await org()
  await expect(add(fields)).rejects.toMatchObject({ errorCode: 'FIELD_INTEGRITY_EXCEPTION' })
})

it('describes the codes, which an org without State and Country picklists does not have', async () => {
  const { connection } = await org()
  const plain = await startSalesforce()
  onTestFinished(() => plain.close())
  const namesIn = async (from: typeof connection) =>
    (await from.sobject('Contact').describe()).fields.map(({ name }) => name)
  expect(await namesIn(connection)).toContain('MailingStateCode')
  expect(await namesIn(await connect(plain.url))).not.toContain('MailingStateCode')
})
