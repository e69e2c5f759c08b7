import { randomUUID } from 'node:crypto'
import { saveIntake } from '@guidon/contract/intake'
import { getUserInfo } from '@guidon/contract/profile'
import { boot, NEWCOMER } from '@guidon/tests/boot'
import { newOrg } from '@guidon/tests/org'
import type { TestClient } from '@guidon/tests/test-client'
import { expect, it } from 'vitest'

const org = await newOrg()
const testApp = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '1' } })

const submit = (client: TestClient, answers: object) =>
  client.call(saveIntake, { body: { ...answers, submit: true } })
const profile = async (client: TestClient) => (await client.call(getUserInfo, {})).body

/** A new account, and its contact in the CRM. */
async function newcomer() {
  const { client, userId } = await testApp.signedUp()
  const [contact] = await org.rows('Contact', { Portal_User_Id__c: userId })
  return { client, userId, contactId: String(contact!['Id']) }
}

it('a question that was skipped is empty in the CRM, and No is No', async () => {
  const { client, contactId } = await newcomer()
  await submit(client, { nine11: false, nam: false, dependents: 0, activeClaim: 'No' })
  const [intake] = await org.rows('Intake__c', { Veteran__c: contactId })
  const answered = Object.entries(intake!).filter(
    ([name, value]) => name.endsWith('__c') && value !== null,
  )
  expect(Object.fromEntries(answered)).toEqual({
    Veteran__c: contactId,
    Portal_Intake_Id__c: expect.any(String),
    Submitted_At__c: expect.any(String),
    Served_In_Combat_After_9_11__c: 'No',
    Active_Claim__c: 'No',
    Dependents__c: 0,
  })
})

it('the address of the intake is in the profile at once, and then in the contact', async () => {
  const { client, contactId } = await newcomer()
  await org.staff('edit-contact', { contactId, FirstName: 'Jim', MailingPostalCode: '97035' })
  await org.fault({ mode: 'down' })
  const said = { street: '12 Elm St', city: 'Reno', state: 'NV' }
  await submit(client, said)
  const shown = { street: '12 Elm St', city: 'Reno', state: 'Nevada' }
  expect(await profile(client)).toMatchObject(shown)

  await org.fault({ mode: 'none' })
  const [contact] = await org.rows('Contact', { Id: contactId, MailingStreet: '12 Elm St' })
  // The zip was not said, and the name is the one that staff have corrected.
  expect(contact).toMatchObject({
    MailingCity: 'Reno',
    MailingState: 'Nevada',
    MailingPostalCode: '97035',
    FirstName: 'Jim',
  })
  await expect
    .poll(() => profile(client), { timeout: 20_000 })
    .toMatchObject({ ...shown, firstName: 'Jim', zip: '97035' })
})

it('what staff say of the address later wins, also if they empty it', async () => {
  const { client, contactId } = await newcomer()
  await submit(client, { street: '12 Elm St', city: 'Reno' })
  await org.rows('Contact', { Id: contactId, MailingStreet: '12 Elm St' })
  await org.staff('edit-contact', { contactId, MailingStreet: '', MailingCity: 'Elko' })
  await expect
    .poll(() => profile(client), { timeout: 20_000 })
    .toMatchObject({ street: null, city: 'Elko' })
})

it('a contact that the provider had keeps its address', async () => {
  const email = `${randomUUID()}@example.com`
  const contactId = await org.staff('add-contact', {
    LastName: NEWCOMER.lastName,
    Email: email,
    MailingCity: 'Elko',
  })
  const { client } = await testApp.signedUp(email)
  await submit(client, { city: 'Reno' })
  await org.rows('Intake__c', { City__c: 'Reno', Veteran__c: contactId })
  expect(await org.rows('Contact', { Id: contactId })).toMatchObject([{ MailingCity: 'Elko' }])
  await expect.poll(() => profile(client), { timeout: 20_000 }).toMatchObject({ city: 'Elko' })
})
