import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { salesforceControl } from '@guidon/sandbox/salesforce/client'
import type { Client } from 'pg'
import { changeRows } from './crm-changes.ts'
import { APPOINTMENTS_EACH, DOCUMENTS_EACH } from './crm-rows.ts'
import type { DashboardHouse } from './dashboard-house.ts'
import { fixed } from './figures.ts'
import { workerBeside } from './house.ts'

/** One in so many rows of each kind changes between two readings. */
const CHANGED_ONE_IN = 100
const LOOK_AGAIN_MS = 100
const MARKER = 'Changed by the bench'

const LARGE = [
  { table: 'crm_contact', object: 'Contact', each: 1, field: 'MailingCity', column: 'city' },
  {
    table: 'crm_appointment',
    object: 'Appointment__c',
    each: APPOINTMENTS_EACH,
    field: 'Clinic_Name__c',
    column: 'clinic_name',
  },
  {
    table: 'crm_document',
    object: 'Document_Request__c',
    each: DOCUMENTS_EACH,
    field: 'Name',
    column: 'name',
  },
] as const

/** Reads the whole org into an empty mirror, by the real worker. Throws where a row is missing. */
export async function firstLoad(house: DashboardHouse, crmUrl: string, contacts: number) {
  const pass = await onePass(house, crmUrl)
  for (const { table, each } of LARGE) {
    await expectCount(house.sql, table, 'not deleted', contacts * each)
  }
  const rows = contacts * LARGE.reduce((sum, { each }) => sum + each, 0)
  return `first load of ${rows} rows: ${passText(pass, rows)}`
}

/** Changes one row in a hundred there, then reads what changed. Throws where a change is missing. */
export async function incrementalSync(house: DashboardHouse, crmUrl: string) {
  let rows = 0
  for (const { table, object, field, column } of LARGE) {
    const found = await house.sql.query<{ id: string }>(
      `select id from (select id, row_number() over (order by id) as place from ${table}) as numbered
       where place % ${CHANGED_ONE_IN} = 0`,
    )
    const ids = found.rows.map(({ id }) => id)
    await changeRows(crmUrl, object, ids, field, MARKER)
    await expectCount(house.sql, table, `${column} = '${MARKER}'`, 0)
    rows += ids.length
  }
  await house.sql.query('update crm_sync_cursor set due_at = now()')
  const pass = await onePass(house, crmUrl)
  let here = 0
  for (const { table, column } of LARGE) {
    here += await countOf(house.sql, table, `${column} = '${MARKER}'`)
  }
  if (here !== rows) throw new Error(`${here} of ${rows} changes reached the mirror`)
  return `sync of ${rows} changed rows: ${passText(pass, rows)}`
}

interface Pass {
  seconds: number
  calls: number
  peakMegabytes: number
  /** How often the worker gave up on the CRM for a while. */
  failures: number
}

/** From the worker being ready to every kind being read to its end. */
async function onePass(house: DashboardHouse, crmUrl: string): Promise<Pass> {
  const crm = salesforceControl(crmUrl)
  const { sql } = house
  const before = (await crm.stats()).used
  await sql.query('update crm_sync_cursor set completed_at = null, failed_at = null')
  const worker = workerBeside(house.environment)
  await worker.start()
  const started = performance.now()
  const failures = new Set<string>()
  while (!(await isRead(sql, failures))) await delay(LOOK_AGAIN_MS)
  const seconds = (performance.now() - started) / 1000
  const calls = (await crm.stats()).used - before
  const peakMegabytes = peakOf(worker.pid!)
  await worker.stop()
  return { seconds, calls, peakMegabytes, failures: failures.size }
}

async function isRead(sql: Client, failures: Set<string>): Promise<boolean> {
  const { rows } = await sql.query<{ kind: string; failed: string | null; done: boolean }>(
    `select kind, failed_at::text as failed, completed_at is not null as done
     from crm_sync_cursor`,
  )
  for (const { kind, failed } of rows) if (failed !== null) failures.add(`${kind} ${failed}`)
  return rows.every(({ done }) => done)
}

function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

function passText({ seconds, calls, peakMegabytes, failures }: Pass, rows: number): string {
  return (
    `${fixed(seconds, 1)} s, ${fixed(rows / seconds, 0)} rows a second, ${calls} calls, ` +
    `${failures} failures, the worker's peak ${fixed(peakMegabytes, 0)} MB`
  )
}

async function countOf(sql: Client, table: string, where: string): Promise<number> {
  const { rows } = await sql.query<{ count: string }>(
    `select count(*) from ${table} where ${where}`,
  )
  return Number(rows[0]!.count)
}

async function expectCount(sql: Client, table: string, where: string, count: number) {
  const here = await countOf(sql, table, where)
  if (here !== count) throw new Error(`${table} holds ${here} rows instead of ${count}`)
}
