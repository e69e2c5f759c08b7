import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { salesforceControl } from '@guidon/sandbox/salesforce/client'
import { SANDBOX_CLIENT } from '@guidon/sandbox/salesforce/rest/sessions'
import { processMegabytes } from '@guidon/sandbox/stack/process-memory'
import { Client } from 'pg'
import { startHelper } from '../support/outside/helper-process.ts'
import { startApiStack, workerProcess } from './api-stack.ts'
import { APPOINTMENTS_EACH, CLAIMS_EACH, DOCUMENTS_EACH } from './crm-rows.ts'
import type { CrmTask } from './crm.ts'
import { fixed, loadFigure, printFigures, report } from './figures.ts'

/**
 * A worker reads an org into the empty mirror, and then its changes. Loading is what is measured, so nothing is kept.
 * The worker reads pages of the same length in any org, so the rows a second of a small one are those of the beginning
 * of a large one; `--contacts 1000000` shows whether they stay the same.
 */

const { values } = parseArgs({ options: { contacts: { type: 'string', default: '50000' } } })
const contacts = Number(values.contacts)
/** Enough for seven million rows and their indexes. */
const CRM_HEAP = ['--max-old-space-size=16000', '--expose-gc']
/** One in this many rows of each table changes between two passes. */
const CHANGED_ONE_IN = 100
const POLL_MS = 100
const PROGRESS_MS = 5_000
/** The most rows that one call to the CRM may contain. */
const BATCH = 200
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

const crm = startHelper<CrmTask, string>(new URL('crm.ts', import.meta.url), CRM_HEAP)
report(`making an org with ${contacts} contacts`)
const crmUrl = await crm.run({ contacts })
report('starting PostgreSQL and an API')
const { stack, close } = await startApiStack({ env: { WEB_DIR: '' } })
const sql = new Client({ connectionString: stack.urls.database })
await sql.connect()
const figures: string[] = []
try {
  for (const measure of [firstLoad, incrementalSync]) {
    const figure = await measure()
    report(figure)
    figures.push(figure)
  }
} finally {
  crm.stop()
  await sql.end()
  await close()
}
printFigures([...figures, loadFigure()])

/** The worker reads the whole org into an empty mirror. Throws if a row is missing. */
async function firstLoad(): Promise<string> {
  const rows = contacts * LARGE_TABLES.reduce((sum, { perContact }) => sum + perContact, 0)
  const pass = await onePass(rows)
  for (const { table, perContact } of LARGE_TABLES) {
    await expectCount(table, 'not deleted', contacts * perContact)
  }
  return `first load of ${rows} rows: ${passText(pass, rows)}`
}

/** Changes one row in a hundred in the CRM, then the worker reads the changes. Throws if one is missing. */
async function incrementalSync(): Promise<string> {
  let rows = 0
  for (const { table, object, field, column } of LARGE_TABLES) {
    const found = await sql.query<{ id: string }>(
      `select id from (select id, row_number() over (order by id) as row_index from ${table}) as numbered
       where row_index % ${CHANGED_ONE_IN} = 0`,
    )
    const ids = found.rows.map(({ id }) => id)
    await changeRows(object, ids, field, MARKER)
    await expectCount(table, `${column} = '${MARKER}'`, 0)
    rows += ids.length
  }
  await sql.query('update crm_sync_cursor set due_at = now()')
  const pass = await onePass(rows)
  let mirrored = 0
  for (const { table, column } of LARGE_TABLES) {
    mirrored += await countOf(table, `${column} = '${MARKER}'`)
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
async function onePass(expected: number): Promise<Pass> {
  const control = salesforceControl(crmUrl)
  const callsBefore = (await control.stats()).used
  const writtenBefore = await writtenRows()
  await sql.query('update crm_sync_cursor set completed_at = null, failed_at = null')
  const worker = workerProcess({ ...stack.environment, SALESFORCE_LOGIN_URL: crmUrl })
  await worker.start()
  const started = performance.now()
  const failures = new Set<string>()
  let [reportedAt, reportedRows] = [started, 0]
  while (!(await isComplete(failures))) {
    await delay(POLL_MS)
    const now = performance.now()
    if (now - reportedAt < PROGRESS_MS) continue
    const written = (await writtenRows()) - writtenBefore
    const rate = ((written - reportedRows) * 1000) / (now - reportedAt)
    report(`${written} of ${expected} rows, now ${fixed(rate, 0)} a second`)
    ;[reportedAt, reportedRows] = [now, written]
  }
  const seconds = (performance.now() - started) / 1000
  const calls = (await control.stats()).used - callsBefore
  const peakMegabytes = processMegabytes(worker.pid!, 'VmHWM')
  await worker.stop()
  return { seconds, calls, peakMegabytes, failures: failures.size }
}

async function isComplete(failures: Set<string>): Promise<boolean> {
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

/** As PostgreSQL's statistics have it, because counting would disturb the worker. */
async function writtenRows(): Promise<number> {
  const { rows } = await sql.query<{ count: string }>(
    `select sum(n_tup_ins + n_tup_upd) as count from pg_stat_user_tables where relname = any($1)`,
    [LARGE_TABLES.map(({ table }) => table)],
  )
  return Number(rows[0]!.count)
}

async function countOf(table: string, where: string): Promise<number> {
  const { rows } = await sql.query<{ count: string }>(
    `select count(*) from ${table} where ${where}`,
  )
  return Number(rows[0]!.count)
}

async function expectCount(table: string, where: string, count: number) {
  const actual = await countOf(table, where)
  if (actual !== count) throw new Error(`${table} has ${actual} rows instead of ${count}`)
}

/** Sets a field of all these rows to the same value, as a bulk update by the provider does. */
async function changeRows(
  type: string,
  ids: readonly string[],
  field: string,
  value: string,
): Promise<void> {
  const token = await crmToken()
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH)
    const records = batch.map((id) => ({ attributes: { type }, id, [field]: value }))
    const response = await fetch(`${crmUrl}/services/data/v64.0/composite/sobjects`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ allOrNone: true, records }),
    })
    const outcomes = (await response.json()) as { success: boolean }[]
    if (!response.ok || outcomes.some(({ success }) => !success)) {
      throw new Error(`the CRM refused to change ${type}: ${response.status}`)
    }
  }
}

async function crmToken(): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: SANDBOX_CLIENT.id,
    client_secret: SANDBOX_CLIENT.secret,
  })
  const response = await fetch(`${crmUrl}/services/oauth2/token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}
