import { CASE_EVENTS_MAX, getCaseActivity } from '@guidon/contract/case-activity'
import { CLAIMS_MAX, getClaims } from '@guidon/contract/claims'
import { bootWithCases } from '@guidon/tests/case-rows'
import { unlinked } from '@guidon/tests/links'
import type { TestClient } from '@guidon/tests/test-client'
import { describe, expect, it } from 'vitest'

const { sql, veteran, claim, crmDocument, ownDocument, upload } = await bootWithCases()

const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour))
const claimsOf = async (client: TestClient) => (await client.call(getClaims, {})).body
const activityOf = async (client: TestClient) => (await client.call(getCaseActivity, {})).body
const textsOf = async (client: TestClient) => (await activityOf(client)).map(({ what }) => what)

describe('claims', () => {
  it('are listed with the words and steps of the provider', async () => {
    const { client, contactId } = await veteran()
    const id = await claim(
      contactId,
      { stage: 'Case Review', stage_since: at(5), next_step: 'We call you on Monday' },
      [
        { stage: 'Intake', entered_at: at(1) },
        { stage: 'Case Review', entered_at: at(5) },
      ],
    )
    const [found, ...others] = await claimsOf(client)
    expect(others).toEqual([])
    expect(found).toMatchObject({
      id,
      title: 'Disability claim',
      closed: false,
      stage: {
        label: 'Case review',
        sentence: 'We are reviewing what you sent us',
        actor: 'us',
        usualTime: '1 to 2 weeks',
      },
      since: at(5).toISOString(),
      nextStep: 'We call you on Monday',
      movedBack: null,
    })
    expect(found!.steps.slice(0, 3)).toEqual([
      { label: 'Intake', state: 'done', enteredAt: at(1).toISOString() },
      { label: 'Case review', state: 'current', enteredAt: at(5).toISOString() },
      { label: 'Gathering records', state: 'ahead', enteredAt: null },
    ])
  })

  it('that moved back say why', async () => {
    const { client, contactId } = await veteran()
    await claim(contactId, { stage: 'Intake', stage_reason: 'Your service dates are missing' }, [
      { stage: 'Case Review', entered_at: at(1) },
      { stage: 'Intake', entered_at: at(2), back: true },
    ])
    const [found] = await claimsOf(client)
    expect(found).toMatchObject({
      since: at(2).toISOString(),
      movedBack: { reason: 'Your service dates are missing' },
    })
  })

  it('in an unknown stage have the label of the CRM', async () => {
    const { client, contactId } = await veteran()
    await claim(contactId, { stage: 'HLR', stage_label: 'Higher-level review' })
    const [found] = await claimsOf(client)
    expect(found!.stage.label).toBe('Higher-level review')
    expect(found!.steps.map(({ state }) => state)).toEqual(['current'])
  })

  it('that are open come first, then those that changed last; deleted ones are left out', async () => {
    const { client, contactId } = await veteran()
    const closed = await claim(contactId, { closed: true, stage_since: at(9) })
    const older = await claim(contactId, { stage_since: at(1), closed: null })
    const newer = await claim(contactId, { stage_since: at(2) })
    const unknownTime = await claim(contactId)
    await claim(contactId, { deleted: true })
    await claim(contactId, { stage: null })
    const ids = (await claimsOf(client)).map(({ id }) => id)
    expect(ids).toEqual([newer, older, unknownTime, closed])
  })

  it('of another veteran are never listed, nor those without a contact', async () => {
    const [one, other] = [await veteran(), await veteran()]
    await claim(other.contactId)
    await unlinked(sql, one.userId)
    await sql.query(
      `update crm_claim set contact_id = null, shown_contact_id = null where contact_id = $1`,
      [one.contactId],
    )
    expect(await claimsOf(one.client)).toEqual([])
    expect(await claimsOf(other.client)).toHaveLength(1)
  })

  it('are limited, and so are the steps that are read', async () => {
    const { client, contactId } = await veteran()
    const open = await claim(contactId, { stage_since: at(1) })
    await sql.query(
      `insert into crm_claim (id, modified_at, deleted, contact_id, stage, closed)
       select 'a03many' || n, now(), false, $1, 'Intake', true from generate_series(1, 10000) as n`,
      [contactId],
    )
    await sql.query(
      `insert into claim_steps (claim_id, stage, entered_at, back)
       select $1, 'Stage ' || n, now() + n * interval '1 second', false
       from generate_series(1, 10000) as n`,
      [open],
    )
    await sql.query('analyze')
    const found = await claimsOf(client)
    expect(found).toHaveLength(CLAIMS_MAX)
    expect(found[0]!.id).toBe(open)
    expect(await activityOf(client)).toHaveLength(CASE_EVENTS_MAX)
  })
})

describe('recent activity', () => {
  it('says in words what happened to documents and claims, newest first', async () => {
    const { client, contactId, userId } = await veteran()
    await ownDocument(userId, { name: 'scan.pdf', uploaded_at: at(1) })
    const file = { box_file_id: '1', last_uploaded_at: at(0) }
    await crmDocument(contactId, {
      ...file,
      name: 'DD214',
      status: 'reviewed',
      status_since: at(2),
    })
    await crmDocument(contactId, {
      ...file,
      name: 'Photo',
      status: 'notUsable',
      status_since: at(3),
    })
    await claim(contactId, { stage: 'Intake' }, [
      { stage: 'Case Review', entered_at: at(4) },
      { stage: 'Intake', entered_at: at(5), back: true },
      { stage: 'HLR', stage_label: 'Higher-level review', entered_at: at(6) },
    ])
    expect(await textsOf(client)).toEqual([
      'Your claim moved to: Higher-level review',
      'Your claim moved back to: Intake',
      'Your claim moved to: Case review',
      'We cannot use: Photo',
      'We reviewed: DD214',
      'We received: scan.pdf',
    ])
    expect((await activityOf(client))[0]!.at).toBe(at(6).toISOString())
  })

  it('leaves out what is deleted or failed, and everything of others', async () => {
    const [one, other] = [await veteran(), await veteran()]
    const { client, contactId, userId } = one
    await upload(userId, await ownDocument(userId), { refused_at: at(1) })
    const step = { stage: 'Intake', entered_at: at(1) }
    await claim(contactId, { deleted: true }, [step])
    await claim(other.contactId, {}, [step])
    await ownDocument(other.userId)
    expect(await textsOf(client)).toEqual([])
    expect(await textsOf(other.client)).toHaveLength(2)
  })
})
