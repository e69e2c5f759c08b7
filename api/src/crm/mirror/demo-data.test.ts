import { boot } from '@guidon/tests/boot'
import { newOrg } from '@guidon/tests/org'
import { expect, it } from 'vitest'

const org = await newOrg()
const { sql } = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '1' } })

const steps = async () => {
  const { rows } = await sql.query<{ name: string; steps: string }>(
    `select first_name as name,
       string_agg(step.stage || case when back then ' (back)' else '' end, ', ' order by entered_at)
         as steps
     from crm_contact join crm_claim on contact_id = crm_contact.id
       join claim_steps as step on claim_id = crm_claim.id
     group by crm_contact.id order by name`,
  )
  return rows
}

it('the demo veterans are in the middle of a claim, back in an earlier stage, and waiting for VA', async () => {
  await org.seedDemo()
  await expect.poll(steps, { timeout: 60_000, interval: 100 }).toEqual([
    { name: 'James', steps: 'Intake, Case Review, Gathering Records' },
    { name: 'Maria', steps: 'Medical Visits, Gathering Records (back)' },
    { name: 'Robert', steps: 'Filed with VA' },
  ])
  const { rows } = await sql.query(
    `select due_date < current_date as overdue, status from crm_document order by due_date`,
  )
  expect(rows).toEqual([
    { overdue: true, status: 'requested' },
    { overdue: false, status: 'requested' },
    { overdue: null, status: 'notUsable' },
  ])
})
