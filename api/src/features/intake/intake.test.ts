import { getIntake, saveIntake } from '@guidon/contract/intake'
import type { IntakeAnswers } from '@guidon/contract/intake'
import { boot } from '@guidon/tests/boot'
import { mailbox } from '@guidon/tests/mailbox'
import { newOrg } from '@guidon/tests/org'
import type { TestClient } from '@guidon/tests/test-client'
import { describe, expect, it } from 'vitest'
import { sealer as sealerOf } from '../../platform/crypto/sealer.ts'
import { contextOf } from './sealed-answers.ts'

const org = await newOrg()
const testApp = await boot({ environment: org.environment })
const { sql, signedUp, logged, config } = testApp
const sealer = sealerOf(config.DATA_KEYS)

const save = (client: TestClient, body: object) => client.call(saveIntake, { body })
const read = async (client: TestClient) => (await client.call(getIntake, {})).body

/** An account with a session: only what is sent to the CRM needs a sign-up. */
async function veteran() {
  const account = await testApp.account()
  const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [
    account.email,
  ])
  return { client: await testApp.withSession(account), userId: rows[0]!.id }
}

const everything: IntakeAnswers = {
  street: '12 Elm St',
  city: 'San Diego',
  state: 'CA',
  zip: '92101-1234',
  ToC: 'Evening',
  claimType: 'New Claim Previously Filed',
  gender: 'Female',
  dominantArm: 'Left',
  dateOfBirth: '1968-03-27',
  branch: 'Coast Guard',
  afghan: true,
  djibouti: false,
  gulf: true,
  syria: false,
  uzbekistan: false,
  nam: true,
  retired: true,
  nine11: false,
  disabilityRating: '30%',
  activeClaim: 'Yes',
  activeAppeal: 'No',
  vaDisabilityPay: 1716.28,
  dependents: 10,
  ethnicity: 'Not Hispanic or Latino or Spanish Origin',
  race: 'Asian',
}

describe('an intake', () => {
  it('of a new account is empty and at its first step', async () => {
    const { client } = await veteran()
    expect(await read(client)).toEqual({
      data: {},
      step: 'initialInfo',
      edits: {},
      editedAt: {},
      savedAt: null,
      submittedAt: null,
      linkedToExistingAccount: false,
      version: 1,
    })
  })

  it('stores any part of the answers, and returns all of them', async () => {
    const { client } = await veteran()
    const { street, city, ...rest } = everything
    expect(await save(client, { street, step: 'goal' })).toMatchObject({
      status: 200,
      body: { submittedAt: null, savedAt: expect.stringMatching(/Z$/) },
    })
    await save(client, { city })
    await save(client, { ...rest, step: 'demographicInfo' })
    expect(await read(client)).toMatchObject({ data: everything, step: 'demographicInfo' })
  })

  it('stores null for an answer that was removed', async () => {
    const { client } = await veteran()
    await save(client, { city: 'Reno', street: '12 Elm St' })
    await save(client, { city: null })
    expect((await read(client)).data).toEqual({ street: '12 Elm St', city: null })
  })

  it('keeps the later edit of a tab, even if its saves arrive in the wrong order', async () => {
    const { client } = await veteran()
    await save(client, { city: 'Elko', edits: { city: { id: 'two', over: ['one'] } } })
    const late = await save(client, {
      city: 'Reno',
      street: '1 A St',
      edits: { city: { id: 'one', over: [] }, street: { id: 'one', over: [] } },
    })
    expect(late.status).toBe(200)
    expect((await read(client)).data).toEqual({ city: 'Elko', street: '1 A St' })
  })

  it('keeps the last edit that arrives from two devices, and ignores a repeated save', async () => {
    const { client } = await veteran()
    const phone = { city: 'Reno', edits: { city: { id: 'phone', over: [] } } }
    const laptop = { city: 'Elko', edits: { city: { id: 'laptop', over: [] } } }
    await save(client, phone)
    await save(client, laptop)
    await save(client, phone)
    expect(await read(client)).toMatchObject({
      data: { city: 'Elko' },
      edits: { city: { id: 'laptop', over: ['phone'] } },
    })
  })

  describe('saved by an older release in the browser, with times of its device', () => {
    const FAR_FUTURE = 8_640_000_000_000_000

    it('can be changed although the time of the last edit is far in the future', async () => {
      const { client } = await signedUp()
      await save(client, { city: 'Reno', editedAt: { city: FAR_FUTURE } })
      await save(client, { city: 'Elko', editedAt: { city: Date.now() } })
      expect((await read(client)).data).toEqual({ city: 'Elko' })
      await save(client, { city: 'Ely', edits: { city: { id: 'new', over: [] } } })
      expect((await read(client)).data).toEqual({ city: 'Ely' })
    })

    it('can be changed when such a time is stored already', async () => {
      const { client, userId } = await signedUp()
      await save(client, { city: 'Reno' })
      const content = { answers: { city: 'Reno' }, editedAt: { city: FAR_FUTURE } }
      const { keyId, bytes } = sealer.seal(Buffer.from(JSON.stringify(content)), contextOf(userId))
      await sql.query('update intakes set key_id = $1, sealed = $2 where user_id = $3', [
        keyId,
        bytes,
        userId,
      ])
      const opened = await read(client)
      expect(opened.data).toEqual({ city: 'Reno' })
      expect(opened.editedAt.city).toBeLessThanOrEqual(Date.now())
      await save(client, { city: 'Elko', editedAt: { city: Date.now() } })
      expect((await read(client)).data).toEqual({ city: 'Elko' })
    })

    it('ignores a slow, older save of the same page and a repeated save', async () => {
      const { client } = await signedUp()
      await save(client, { city: 'Elko', editedAt: { city: 20 } })
      await save(client, { city: 'Reno', editedAt: { city: 10 } })
      expect((await read(client)).data).toEqual({ city: 'Elko' })
      await save(client, { city: 'Ely', edits: { city: { id: 'new', over: [] } } })
      await save(client, { city: 'Elko', editedAt: { city: 20 } })
      expect((await read(client)).data).toEqual({ city: 'Ely' })
    })
  })

  it('loses nothing when many first saves are concurrent', async () => {
    const { client } = await veteran()
    const names = Object.keys(everything) as (keyof IntakeAnswers)[]
    const statuses = await Promise.all(
      names.map(async (name) => (await save(client, { [name]: everything[name] })).status),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect((await read(client)).data).toEqual(everything)
  })

  it('stores nothing of an invalid save', async () => {
    const { client } = await veteran()
    const refused = await save(client, { city: 'Reno', dateOfBirth: '1924-12-31' })
    const fields = { dateOfBirth: 'Date must be between the minimum and maximum dates' }
    expect(refused).toMatchObject({ status: 422, body: { fields } })
    expect((await read(client)).data).toEqual({})
  })

  it('is encrypted in the database, and is not in the log', async () => {
    const { client, userId } = await veteran()
    await save(client, { street: 'Whippoorwill Lane', race: 'Asian' })
    const { rows } = await sql.query(
      'select intakes::text as row, sealed from intakes where user_id = $1',
      [userId],
    )
    expect(rows[0].row).not.toContain('Whippoorwill')
    expect(rows[0].sealed.includes('Whippoorwill')).toBe(false)
    expect(logged()).not.toContain('Whippoorwill')
  })

  it('logs how often saves failed in the browser before this one, without any answer', async () => {
    const { client } = await veteran()
    const failures = { no_network: 3, timed_out: 1, submits: 2 }
    await save(client, { street: 'Failing Lane', failures })
    await save(client, { street: 'Later Lane', failures: {} })
    const lines = logged()
      .split('\n')
      .filter((line) => line.includes('intake: saves failed in the browser'))
    expect(lines.map((line) => JSON.parse(line).saveFailures)).toEqual([failures])
    expect(logged()).not.toContain('Failing Lane')
    expect((await read(client)).data).toEqual({ street: 'Later Lane' })
  })

  it('refuses a count of failures that is 0, too high or no number', async () => {
    const { client } = await veteran()
    for (const failures of [{ no_network: 0 }, { no_network: 1001 }, { timed_out: 'often' }]) {
      expect(await save(client, { city: 'Reno', failures })).toMatchObject({ status: 422 })
    }
  })

  it('cannot be decrypted in the row of another account', async () => {
    const [first, other] = [await veteran(), await veteran()]
    await save(first.client, { race: 'Asian' })
    await save(other.client, { race: 'White' })
    await sql.query(
      `update intakes set sealed = (select sealed from intakes where user_id = $1) where user_id = $2`,
      [first.userId, other.userId],
    )
    expect(await other.client.call(getIntake, {})).toMatchObject({ status: 500 })
  })
})

describe('submitting', () => {
  it('stores the answers, sends them to the CRM, and confirms by an email without them', async () => {
    const { client, email, userId } = await signedUp()
    await save(client, everything)
    const sent = await save(client, { submit: true, step: 'preview' })
    expect(sent.body.submittedAt).toEqual(expect.any(String))
    expect(await read(client)).toMatchObject({
      data: everything,
      submittedAt: sent.body.submittedAt,
    })

    const [mail] = await mailbox.mailsTo(email, { subject: 'We received your Guidon intake' })
    for (const answer of Object.values(everything).filter((value) => typeof value === 'string')) {
      expect(mail?.text).not.toContain(answer)
    }
    const { rows } = await sql.query(
      `select event from audit_events where subject_id = $1 and event = 'intake_submitted'`,
      [userId],
    )
    expect(rows).toHaveLength(1)

    const { rows: ids } = await sql.query('select id from intakes where user_id = $1', [userId])
    const sentRows = await org.rows('Intake__c', { Portal_Intake_Id__c: ids[0].id })
    expect(sentRows).toMatchObject([
      {
        Street__c: '12 Elm St',
        City__c: 'San Diego',
        State__c: 'CA',
        Zip__c: '92101-1234',
        Preferred_Contact_Time__c: 'Evening',
        Claim_Type__c: 'New Claim Previously Filed',
        Gender__c: 'Female',
        Dominant_Arm__c: 'Left',
        Date_Of_Birth__c: '1968-03-27',
        Branch__c: 'Coast Guard',
        Deployments__c: 'Afghanistan;Gulf War;Vietnam',
        Retired__c: 'Yes',
        Served_In_Combat_After_9_11__c: 'No',
        Disability_Rating__c: '30%',
        VA_Disability_Pay__c: 1716.28,
        Dependents__c: 10,
        Race__c: 'Asian',
      },
    ])
  })

  it('again after a lost response succeeds and has no further effect', async () => {
    const { client, userId } = await signedUp()
    const body = { city: 'Reno', editedAt: { city: 5 }, submit: true }
    const first = await save(client, body)
    const second = await save(client, body)
    expect(second).toMatchObject({ status: 200, body: first.body })
    const { rows } = await sql.query(
      `select kind from crm_outbox where user_id = $1 and kind = 'intake'`,
      [userId],
    )
    expect(rows).toHaveLength(1)
  })

  it('is final: later changes are refused', async () => {
    const { client } = await signedUp()
    await save(client, { city: 'Elko', editedAt: { city: 20 }, submit: true })
    expect(await save(client, { city: 'Reno', editedAt: { city: 30 } })).toMatchObject({
      status: 409,
      body: { code: 'intake_submitted' },
    })
    // A slow, older save changes nothing and is not an error.
    expect(await save(client, { city: 'Reno', editedAt: { city: 10 } })).toMatchObject({
      status: 200,
    })
    expect((await read(client)).data).toEqual({ city: 'Elko' })
  })

  it('without any answer is allowed', async () => {
    const { client } = await signedUp()
    expect(await save(client, { submit: true })).toMatchObject({ status: 200 })
    expect((await read(client)).submittedAt).not.toBeNull()
  })
})
