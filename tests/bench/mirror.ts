import { setTimeout as delay } from 'node:timers/promises'
import { salesforceControl } from '@guidon/sandbox/salesforce/client'
import { processMegabytes } from '@guidon/sandbox/stack/process-memory'
import type { Client } from 'pg'
import { workerProcess } from './api-stack.ts'
import { changeRows } from './crm-changes.ts'
import { APPOINTMENTS_EACH, CLAIMS_EACH, DOCUMENTS_EACH } from './crm-rows.ts'
import type { DashboardStack } from './dashboard-stack.ts'
import { fixed } from './figures.ts'

/** One in this many rows of each table changes between two passes. */
const CHANGED_ONE_IN = 100
const POLL_MS = 100
const MARKER = 'Changed by the bench'

const LARGE_TABLES = [
  { table: 'crm_contact', object: 'Contact', perContact: 1, field: 'MailingCity', column: 'city' },
  {
    table: 'crm_appointment',
    object: 'Appointment__c',
    perContact: APPOINTMENTS_EACH,
    field: 'Clinic_Name__c',
    column: 'clinic_name',
  },
  {
    table: 'crm_document',
    object: 'Document_Request__c',
    perContact: DOCUMENTS_EACH,
    field: 'Name',
    column: 'name',
  },
  {
    table: 'crm_claim',
    object: 'Claim__c',
    perContact: CLAIMS_EACH,
    field: 'Next_Step__c',
    column: 'next_step',
  },
] as const

/** The worker reads the whole org into an empty mirror. Throws if a row is missing. */
export async function firstLoad(stack: DashboardStack, crmUrl: string, contacts: number) {
  const pass = await onePass(stack, crmUrl)
  for (const { table, perContact } of LARGE_TABLES) {
    await expectCount(stack.sql, table, 'not deleted', contacts * perContact)
  }
  const rows = contacts * LARGE_TABLES.reduce((sum, { perContact }) => sum + perContact, 0)
  return `first load of ${rows} rows: ${passText(pass, rows)}`
}

/** Changes one row in a hundred in the CRM, then the worker reads the changes. Throws if one is missing. */
export async function incrementalSync(stack: DashboardStack, crmUrl: string) {
  let rows = 0
  for (const { table, object, field, column } of LARGE_TABLES) {
    const found = await stack.sql.query<{ id: string }>(
      `select id from (select id, row_number() over (order by id) as row_index from ${table}) as numbered
       where row_index % ${CHANGED_ONE_IN} = 0`,
    )
    const ids = found.rows.map(({ id }) => id)
    await changeRows(crmUrl, object, ids, field, MARKER)
    await expectCount(stack.sql, table, `${column} = '${MARKER}'`, 0)
    rows += ids.length
  }
  await stack.sql.query('update crm_sync_cursor set due_at = now()')
  const pass = await onePass(stack, crmUrl)
  let mirrored = 0
  for (const { table, column } of LARGE_TABLES) {
    mirrored += await countOf(stack.sql, table, `${column} = '${MARKER}'`)
  }
  if (mirrored !== rows) throw new Error(`${mirrored} of ${rows} changes reached the mirror`)
  return `sync of ${rows} changed rows: ${passText(pass, rows)}`
}

interface Pass {
  seconds: number
  calls: number
  peakMegabytes: number
  /** How often a read of the CRM failed. */
  failures: number
}

/** Runs a worker until it has read every kind of row completely. */
async function onePass(stack: DashboardStack, crmUrl: string): Promise<Pass> {
  const crm = salesforceControl(crmUrl)
  const { sql } = stack
  const callsBefore = (await crm.stats()).used
  await sql.query('update crm_sync_cursor set completed_at = null, failed_at = null')
  const worker = workerProcess(stack.environment)
  await worker.start()
  const started = performance.now()
  const failures = new Set<string>()
  while (!(await isComplete(sql, failures))) await delay(POLL_MS)
  const seconds = (performance.now() - started) / 1000
  const calls = (await crm.stats()).used - callsBefore
  const peakMegabytes = processMegabytes(worker.pid!, 'VmHWM')
  await worker.stop()
  return { seconds, calls, peakMegabytes, failures: failures.size }
}

async function isComplete(sql: Client, failures: Set<string>): Promise<boolean> {
  const { rows } = await sql.query<{ kind: string; failed: string | null; done: boolean }>(
    `select kind, failed_at::text as failed, completed_at is not null as done
     from crm_sync_cursor`,
  )
  for (const { kind, failed } of rows) if (failed !== null) failures.add(`${kind} ${failed}`)
  return rows.every(({ done }) => done)
}

function passText({ seconds, calls, peakMegabytes, failures }: Pass, rows: number): string {
  return (
    `${fixed(seconds, 1)} s, ${fixed(rows / seconds, 0)} rows a second, ${calls} calls, ` +
    `${failures} failures, peak memory of the worker ${fixed(peakMegabytes, 0)} MB`
  )
}

async function countOf(sql: Client, table: string, where: string): Promise<number> {
  const { rows } = await sql.query<{ count: string }>(
    `select count(*) from ${table} where ${where}`,
  )
  return Number(rows[0]!.count)
}

async function expectCount(sql: Client, table: string, where: string, count: number) {
  const actual = await countOf(sql, table, where)
  if (actual !== count) throw new Error(`${table} has ${actual} rows instead of ${count}`)
}
