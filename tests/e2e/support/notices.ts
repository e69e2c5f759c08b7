import { queryOnce } from '@guidon/sandbox/postgres/query'
import { expect } from '@playwright/test'
import type { Account } from '../../support/outside/account.ts'
import { address } from './addresses.ts'

const query = <Row extends object>(sql: string, values: readonly unknown[] = []) =>
  queryOnce<Row>(address('GUIDON_DATABASE'), sql, values)

const ZONES: Readonly<Record<string, string>> = {
  'New York': 'America/New_York',
  'Puerto Rico': 'America/Puerto_Rico',
  Guam: 'Pacific/Guam',
}
const DAY_MS = 24 * 60 * 60_000
const JOURNEY_MS = 10 * 60_000

const hourIn = (timeZone: string, at: number) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit' }).format(at))

/**
 * Where it is day for as long as a journey takes. Undefined for an hour of each day, when it is night in all of them:
 * notices wait for the morning.
 */
export function stateAtDaytime(): string | undefined {
  const isDay = (timeZone: string, at: number) => {
    const hour = hourIn(timeZone, at)
    return hour >= 8 && hour < 21
  }
  const now = Date.now()
  return Object.entries(ZONES).find(
    ([, zone]) => isDay(zone, now) && isDay(zone, now + JOURNEY_MS),
  )?.[0]
}

/** The due date whose reminder of two days before comes at the next 10:00 in the state. */
export function dueDateOfNextReminder(state: string): string {
  const timeZone = ZONES[state]!
  const days = hourIn(timeZone, Date.now()) < 10 ? 2 : 3
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(Date.now() + days * DAY_MS)
}

type Job = 'notices.collect' | 'notices.remind' | 'notices.read-reports'

/** Runs a job now, instead of at the next minute or hour. */
export async function runJob(name: Job): Promise<void> {
  const [job] = await query<{ id: string }>(
    'insert into pgboss.job (name) values ($1) returning id',
    [name],
  )
  const state = async () => {
    const [row] = await query<{ state: string }>('select state from pgboss.job where id = $1', [
      job!.id,
    ])
    return row?.state
  }
  await expect.poll(state, { timeout: 60_000 }).toBe('completed')
}

const OPEN = `user_id = (select id from users where email = $1) and sent_at is null and void_at is null`

/** What is waiting to be sent, such as `documentRequested`. */
export async function openNotices({ email }: Account): Promise<string[]> {
  const rows = await query<{ event: string }>(`select event from notices where ${OPEN}`, [email])
  return rows.map(({ event }) => event)
}

/** The ids of the documents with a reminder that they are due in two days. */
export async function documentsWithReminder({ email }: Account): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `select subject_id as id from notices where event = 'documentDueIn2Days'
     and user_id = (select id from users where email = $1)`,
    [email],
  )
  return rows.map(({ id }) => id)
}

/** The holding time of each waiting notice, in minutes. */
export async function holdingMinutes({ email }: Account): Promise<number[]> {
  const rows = await query<{ minutes: number }>(
    `select extract(epoch from due_at - created_at)::int / 60 as minutes from notices where ${OPEN}`,
    [email],
  )
  return rows.map(({ minutes }) => minutes)
}

/** Ends the holding time. */
export async function endHoldingTime({ email }: Account): Promise<void> {
  await query(`update notices set due_at = now() where ${OPEN}`, [email])
  await runJob('notices.collect')
}

/** As if the notices were two days older. */
export async function letTwoDaysPass({ email }: Account): Promise<void> {
  await query(
    `update notices set created_at = created_at - interval '2 days'
     where user_id = (select id from users where email = $1)`,
    [email],
  )
}
