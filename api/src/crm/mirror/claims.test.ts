import { boot } from '@guidon/tests/boot'
import { newOrg } from '@guidon/tests/org'
import { beforeAll, describe, expect, it, vi } from 'vitest'

const WAIT_OPTIONS = { timeout: 60_000, interval: 100 }

const org = await newOrg()
const testApp = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '1' } })
const { sql, admin } = testApp

const claim = async (id: string) => {
  const { rows } = await sql.query(
    `select contact_id as "contactId", title, stage, stage_label as label, closed, deleted
     from crm_claim where id = $1`,
    [id],
  )
  return rows[0]
}
const stepsOf = async (id: string) => {
  const { rows } = await sql.query(
    'select stage, back from claim_steps where claim_id = $1 order by entered_at',
    [id],
  )
  return rows
}
const kinds = async () => (await admin.crm.status()).mirror.map(({ kind }) => kind)
/** A worker checks the fields when it starts. */
const hide = async (names: string[]) => {
  await org.hide(names)
  await testApp.stopWorkers()
  await testApp.startWorker()
}
const newContact = (lastName: string) => org.staff('add-contact', { LastName: lastName })

let contactId: string
beforeAll(async () => {
  contactId = await newContact('Whitfield')
  const unread = 'select from crm_sync_cursor where completed_at is null'
  await vi.waitUntil(async () => (await sql.query(unread)).rowCount === 0, WAIT_OPTIONS)
})

describe('a claim in the CRM', () => {
  it('is read with its stages, also when it returns to an earlier one', async () => {
    const id = await org.staff('add-claim', { contactId, title: 'Knee', stage: 'Ready to File' })
    await expect
      .poll(() => claim(id), WAIT_OPTIONS)
      .toEqual({
        contactId,
        title: 'Knee',
        stage: 'Ready to File',
        label: 'Ready to file',
        closed: false,
        deleted: false,
      })
    await org.staff('change-claim', { claimId: id, stage: 'Gathering Records', closed: true })
    await expect
      .poll(() => stepsOf(id), WAIT_OPTIONS)
      .toEqual([
        { stage: 'Ready to File', back: false },
        { stage: 'Gathering Records', back: true },
      ])
    expect(await claim(id)).toMatchObject({ closed: true })
  })

  it('follows its contact when staff merge it into another one', async () => {
    const loserId = await newContact('Whitfeld')
    const id = await org.staff('add-claim', { contactId: loserId, stage: 'Intake' })
    await expect.poll(() => claim(id), WAIT_OPTIONS).toMatchObject({ contactId: loserId })
    await org.staff('merge-contacts', { contactId, loserId })
    await expect.poll(() => claim(id), WAIT_OPTIONS).toMatchObject({ contactId })
    expect(await stepsOf(id)).toEqual([{ stage: 'Intake', back: false }])
  })

  it('is deleted with its contact', async () => {
    const other = await newContact('Alvarez')
    const id = await org.staff('add-claim', { contactId: other, title: 'Back', stage: 'Intake' })
    await expect.poll(() => stepsOf(id), WAIT_OPTIONS).toHaveLength(1)
    await org.staff('delete-row', { id: other })
    await expect.poll(() => claim(id), WAIT_OPTIONS).toMatchObject({ deleted: true, title: null })
    expect(await stepsOf(id)).toEqual([])
  })

  it('is hidden and left out of the status while the org has no claims, and shown with its steps again', async () => {
    const id = await org.staff('add-claim', { contactId, stage: 'Filed with VA' })
    await expect.poll(() => stepsOf(id), WAIT_OPTIONS).toHaveLength(1)
    await org.staff('change-claim', { claimId: id, stage: 'Intake' })
    await expect.poll(() => stepsOf(id), WAIT_OPTIONS).toHaveLength(2)
    await hide(['Claim__c'])
    await expect.poll(kinds, WAIT_OPTIONS).not.toContain('claim')
    expect(await claim(id)).toMatchObject({ deleted: true })
    // The result of the check is stored once everything has started.
    await expect
      .poll(async () => (await admin.crm.status()).check, WAIT_OPTIONS)
      .toMatchObject({ state: 'fits', missing: ['there is no object Claim__c (claim)'] })
    const other = await newContact('Santiago')
    const isRead = async () =>
      (await sql.query('select from crm_contact where id = $1', [other])).rowCount
    await expect.poll(isRead, WAIT_OPTIONS).toBe(1)
    await hide([])
    await expect.poll(() => claim(id), WAIT_OPTIONS).toMatchObject({ deleted: false })
    expect(await stepsOf(id)).toHaveLength(2)
  })
})
