import { isDeepStrictEqual } from 'node:util'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { startMailbox } from '@guidon/sandbox/mailbox/mailbox'
import { expect, it, vi } from 'vitest'
import { storeRows } from '../../../api/src/crm/mirror/store-rows.ts'
import { collectDue } from '../../../api/src/features/notices/collect.ts'
import { noticesFromMirror } from '../../../api/src/features/notices/from-mirror.ts'
import { remind } from '../../../api/src/features/notices/remind.ts'
import { EMAIL_CONCURRENCY } from '../../../api/src/mail/send-once.ts'
import { createLog } from '../../../api/src/platform/log.ts'
import { afterFile } from '../../support/after-file.ts'
import { boot } from '../../support/boot.ts'
import { linkTo, quietLinks } from '../../support/links.ts'
import { newId, noticeFixtures } from '../../support/notices.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'
import { workerProcesses } from './notices/processes.ts'
import { randomState, statesAt } from './notices/subjects.ts'
import type { AnyRow, Subject, SubjectKind } from './notices/subjects.ts'

const TRANSITIONS = smallOrFull(250, 10_000)
const KILLS = smallOrFull(2, 20)
const VETERANS = smallOrFull(24, 400)
/** Daylight saving time ends on November 1. */
const START = smallOrFull(Date.parse('2026-11-01T00:00:00Z'), Date.parse('2026-10-26T12:00:00Z'))
const END = Date.parse('2026-11-03T12:00:00Z')
const STEP_MINUTES = smallOrFull(60, 20)
const STEP_MS = STEP_MINUTES * 60_000
const STEPS = (END - START) / STEP_MS
/** Without changes, so that what is due in the morning is sent. */
const QUIET_STEPS = (36 * 60) / STEP_MINUTES
const DAY_STEPS = (24 * 60) / STEP_MINUTES
/** The longest night of a state with two time zones, plus the time for which a notice is held. */
const NIGHT_STEPS = (15 * 60) / STEP_MINUTES
const FIRST_LOAD_ROWS = smallOrFull(200, 3_000)

/** The time zones of a few states. APO is an unknown state, which counts as Eastern and Pacific. */
const ZONES: Record<string, string[]> = {
  California: ['America/Los_Angeles'],
  'New York': ['America/New_York'],
  Texas: ['America/Chicago', 'America/Denver'],
  Arizona: ['America/Phoenix', 'America/Denver'],
  Hawaii: ['Pacific/Honolulu'],
  Indiana: ['America/Indiana/Indianapolis', 'America/Chicago'],
  Guam: ['Pacific/Guam'],
  APO: ['America/New_York', 'America/Los_Angeles'],
}
const STATES = Object.keys(ZONES)

/** The same numbers at every run. */
let seed = 7
const random = () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

const ownMailbox = await startMailbox()
afterFile(() => ownMailbox.close())
const mailbox = new MailboxClient(ownMailbox.url)
const testApp = await boot({ worker: false, environment: { SMTP_URL: ownMailbox.smtpUrl } })
const { sql, config } = testApp
const fixtures = noticeFixtures(testApp)
const stages = fixtures.stages.map(({ key }) => key)

await sql.query('create table proof_clock as select $1::timestamptz as at', [new Date(START)])
await sql.query('grant select on proof_clock to guidon_app')

interface Person {
  userId: string
  contactId: string
  state: string
  /** The first step at which the person may no longer get notices. */
  goneAt: number
  deceased: boolean
}

/** Inserts accounts without a password hash, because hashing takes long. */
async function addPeople(count: number): Promise<Person[]> {
  const added: Person[] = []
  for (let index = 0; index < count; index += 1) {
    const contactId = newId('003')
    const state = STATES[index % STATES.length]!
    const { rows: users } = await sql.query<{ id: string }>(
      `insert into users (email, password_hash, first_name, last_name, phone, state, role, created_at)
       values ($1, '', 'A', 'B', '6195550100', $2, 'USER', '2026-01-01') returning id`,
      [`${contactId.toLowerCase()}@example.com`, state],
    )
    await linkTo(sql, { userId: users[0]!.id }, contactId, { since: '2026-01-01' })
    added.push({ userId: users[0]!.id, contactId, state, goneAt: Infinity, deceased: false })
  }
  return added
}

const people = await addPeople(VETERANS)
const byContact = new Map(people.map((person) => [person.contactId, person]))

const subjects: Subject[] = people.flatMap(({ contactId }) => {
  const subject = (kind: SubjectKind, id: string, state: Subject['history'][0]['state']) => ({
    kind,
    id,
    contactId,
    history: [{ step: -1, state }],
    storedModifiedAt: '',
  })
  return [
    subject('contact', contactId, { manager: null }),
    subject('claim', newId('a03'), { stage: stages[0] }),
    ...['', '', ''].map(() => subject('document', newId('a01'), null)),
    ...['', ''].map(() => subject('appointment', newId('a02'), null)),
  ]
})
const bySubject = new Map(subjects.map((subject) => [subject.id, subject]))

let step = 0
const timeOf = (at: number) => new Date(START + at * STEP_MS)
const onChanges = noticesFromMirror(async () => timeOf(step))
const storeParts = {
  links: quietLinks,
  stages: fixtures.stages,
  onChanges,
  log: createLog('silent', 'test'),
}

class Crash extends Error {}

/** Stores a page. With `aborts`, a first try fails at the end of its transaction, as if the worker had died there. */
async function storePage(kind: SubjectKind, page: readonly AnyRow[], aborts: boolean) {
  const store = (fails: boolean) =>
    fixtures.db.transaction().execute(async (tx) => {
      await storeRows(tx, storeParts, kind, page as never)
      if (fails) throw new Crash()
    })
  if (aborts) {
    await store(true).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error
    })
  }
  await store(false)
}

const rowOf = ({ kind, id, contactId }: Subject, row: object, modifiedAt: string): AnyRow => {
  const change = { ...row, modifiedAt }
  if (kind === 'contact') {
    const { state, deceased } = byContact.get(id)!
    return fixtures.contact(id, { ...change, state, deceased })
  }
  return fixtures[kind](contactId, id, change)
}

const setLoaded = (loaded: boolean) =>
  sql.query(
    `insert into crm_sync_cursor (kind, completed_at)
     select unnest('{contact,claim,document,appointment}'::text[]), $1
     on conflict (kind) do update set completed_at = excluded.completed_at`,
    [loaded ? new Date() : null],
  )

/** Contacts and claims as they are before the first step. */
async function firstLoad() {
  await setLoaded(false)
  const at = new Date(START - STEP_MS).toISOString()
  for (const kind of ['contact', 'claim'] as const) {
    const own = subjects.filter((subject) => subject.kind === kind)
    const row = kind === 'claim' ? { stage: stages[0] } : {}
    await storePage(
      kind,
      own.map((subject) => rowOf(subject, row, at)),
      false,
    )
  }
  await setLoaded(true)
}

interface Mail {
  id: string
  messageId: string
}
const mails: Mail[] = []
/** The mailbox keeps only the newest 5,000. */
async function readMails() {
  const after = mails.at(-1)?.id ?? '0'
  const response = await fetch(`${ownMailbox.url}/messages?wait=0&after=${after}`)
  const { messages } = (await response.json()) as { messages: Mail[] }
  mails.push(...messages.toReversed())
}

const UNFINISHED = `select count(*)::int as n from pgboss.job
  where name in ('notices.send', 'notices.collect', 'notices.remind') and state < 'completed'`

/** Waits until no job is left, but at most `ms`, because a job of a killed process is not retried at once. */
async function settle(ms: number): Promise<boolean> {
  const settled = async () => (await sql.query(UNFINISHED)).rows[0].n === 0
  return vi.waitUntil(settled, { timeout: ms, interval: 10 }).catch(() => false)
}

const STATE_OF_FIRST_LOAD = { status: 'requested' as const }

it('10,000 changes lead to each notice once, none at night, none after its cause, none from a first load', async () => {
  await firstLoad()
  const processes = await workerProcesses(config, 2)
  // Documents that are only requested, for the reminders.
  const steady = people.slice(0, STATES.length).map(({ contactId }) => {
    const dueDate = '2026-11-04'
    return fixtures.document(contactId, newId('a01'), {
      dueDate,
      modifiedAt: timeOf(0).toISOString(),
    })
  })
  await storePage('document', steady, false)

  const waiting: { subject: Subject; row: AnyRow; state: unknown }[] = []
  const count = { made: 0, repeated: 0, late: 0, aborted: 0, kills: 0, uploads: 0 }
  const fromFirstLoad: string[] = []

  for (step = 0; step < STEPS + QUIET_STEPS; step += 1) {
    await sql.query('update proof_clock set at = $1', [timeOf(step)])
    const target = Math.min(TRANSITIONS, Math.ceil((TRANSITIONS * (step + 1)) / STEPS))
    while (count.made < target) {
      const subject = subjects[Math.floor(random() * subjects.length)]!
      count.made += 1
      const modifiedAt = new Date(timeOf(step).getTime() + count.made).toISOString()
      const { row, state } = randomState(subject.kind, stages, random)
      waiting.push({ subject, row: rowOf(subject, row, modifiedAt), state })
    }
    // In any order: some changes wait for a later step, and newer versions may be stored before them.
    const isQuiet = step >= STEPS
    const stored = waiting.splice(0).filter((change) => {
      if (isQuiet || random() < 0.8) return true
      count.late += 1
      waiting.push(change)
      return false
    })
    stored.sort(() => random() - 0.5)
    // A page has each row once.
    while (stored.length > 0) {
      const { kind } = stored[0]!.subject
      const inPage = new Set<Subject>()
      const page = stored.filter(({ subject }) => {
        if (subject.kind !== kind || inPage.has(subject)) return false
        return inPage.add(subject)
      })
      const times = random() < 0.2 ? 2 : 1
      const aborts = random() < 0.05
      count.repeated += (times - 1) * page.length
      count.aborted += Number(aborts)
      for (let time = 0; time < times; time += 1) {
        await storePage(
          kind,
          page.map(({ row }) => row),
          aborts,
        )
      }
      for (const change of page) {
        const { subject, row, state } = change
        stored.splice(stored.indexOf(change), 1)
        if (row.modifiedAt <= subject.storedModifiedAt) continue
        subject.storedModifiedAt = row.modifiedAt
        subject.history.push({ step, state: state as never })
      }
    }
    await atSomeSteps(count, fromFirstLoad)
    if ((step * STEP_MINUTES) % 60 === 0) await testApp.send(remind, {})
    await testApp.send(collectDue, {})
    if (isKillDue(count.kills))
      count.kills += Number(await killWhileSending(count.kills, processes))
    await settle(1_000)
    await runPostponed()
    if (step % 20 === 0) await readMails()
  }
  // What a killed process had begun is sent by another one.
  for (let round = 0; round < 60 && !(await allSent()); round += 1) {
    await runPostponed()
    await testApp.send(collectDue, {})
    await settle(2_000)
  }
  await readMails()
  const result = await measure(count, fromFirstLoad)
  expect(result.doubled).toEqual([])
  expect(result.missing).toEqual([])
  expect(result.nightly).toEqual([])
  expect(result.untrue).toEqual([])
  expect(result.toGone).toEqual([])
  expect(result.loaded).toEqual([])
  // Every email in the mailbox is one of the deliveries, and every delivery is there, unless its worker was killed.
  expect(result.unknownEmails).toEqual([])
  expect(result.lost.length).toBeLessThanOrEqual(KILLS * EMAIL_CONCURRENCY)
  expect(result.repeated).toBeLessThanOrEqual(KILLS * EMAIL_CONCURRENCY)
  expect(count.kills).toBe(KILLS)
  // Due on November 4: the second day before, at 10:00 in the west of the state.
  const expected = steady.map(({ id }) => `${id} 2026-11-02 10`)
  expect(result.reminders.toSorted()).toEqual(expected.toSorted())
  expect(result.sent).toBeGreaterThan(TRANSITIONS / 10)
})

const allSent = async () => {
  const { rows: left } = await sql.query(
    `select from notices where sent_at is null and void_at is null and due_at <= (select at from proof_clock)`,
  )
  return left.length === 0
}

/** True at about `times` steps, evenly spread. */
const isOneOfSteps = (times: number) => step % Math.max(1, Math.floor(STEPS / (times + 1))) === 1

/** Whether the next kill is due. It stays due until an email is being sent. */
const isKillDue = (kills: number) =>
  kills < KILLS && step >= Math.floor(STEPS / (KILLS + 1)) * (kills + 1)

/** Kills a process while the relay holds an email or has just accepted one. Returns false if none is being sent. */
async function killWhileSending(
  kills: number,
  processes: Awaited<ReturnType<typeof workerProcesses>>,
): Promise<boolean> {
  const isHeld = kills % 2 === 0
  if (isHeld) await mailbox.fault('hang')
  const before = await mailbox.stats()
  const isSending = async () => {
    const { hanging, accepted } = await mailbox.stats()
    return hanging > 0 || accepted > before.accepted
  }
  const isSeen = await vi.waitUntil(isSending, { timeout: 1_000, interval: 2 }).catch(() => false)
  if (isSeen) await processes.restartOne()
  if (isHeld) await mailbox.fault('none')
  return isSeen
}

/** The queue does not use `proof_clock`, so what waits for the morning runs at each step and checks the time itself. */
const runPostponed = () =>
  sql.query(`update pgboss.job set start_after = now()
    where name = 'notices.send' and state = 'created' and start_after > now() + interval '5 minutes'`)

async function atSomeSteps(count: { uploads: number }, fromFirstLoad: string[]) {
  if (step >= STEPS) return
  if (step === Math.floor(STEPS / 2)) {
    // A first load in between, of rows that do not change later.
    await setLoaded(false)
    const page = Array.from({ length: FIRST_LOAD_ROWS }, (_, index) =>
      fixtures.document(people[index % people.length]!.contactId, undefined, {
        ...STATE_OF_FIRST_LOAD,
        modifiedAt: timeOf(step).toISOString(),
      }),
    )
    await storePage('document', page, false)
    fromFirstLoad.push(...page.map(({ id }) => id))
    await setLoaded(true)
  }
  if (isOneOfSteps(10)) await removeSomeone()
  if (isOneOfSteps(30)) count.uploads += Number(await uploadSomething())
}

let removed = -1

/** One person after the other is deactivated, deceased, unlinked or no longer verified. */
async function removeSomeone() {
  const index = people.findIndex(({ goneAt }) => goneAt === Infinity)
  const person = people[index]
  // The first ones get the reminders that are counted.
  const victim =
    index < STATES.length ? people.findLast(({ goneAt }) => goneAt === Infinity) : person
  if (!victim) return
  victim.goneAt = step + 1
  const how = [
    'update users set is_active = false where id = $1',
    'delete from links where user_id = $1',
    `update users set role = 'STAFF' where id = $1`,
    `insert into crm_contact (id, modified_at, deleted, deceased)
     select contact_id, now(), false, true from links where user_id = $1
     on conflict (id) do update set deceased = true`,
  ]
  removed += 1
  victim.deceased = removed % how.length === how.length - 1
  await sql.query(how[removed % how.length]!, [victim.userId])
}

/** A veteran uploads a requested document; the CRM does not know it yet. */
async function uploadSomething(): Promise<boolean> {
  const subject = subjects.find(
    ({ kind, history }) => kind === 'document' && history.at(-1)?.state?.['requested'] === true,
  )
  if (!subject) return false
  const { userId } = byContact.get(subject.contactId)!
  await sql.query(
    `insert into documents (user_id, name, type, size, sha256, crm_id) values ($1, $2, 'Other', 1, '', $3)`,
    [userId, `${newId('f')}.pdf`, subject.id],
  )
  subject.history.push({ step, state: { requested: false, status: 'requested' } })
  // Nothing changes it any more.
  subjects.splice(subjects.indexOf(subject), 1)
  return true
}

interface Sent {
  event: string
  subjectId: string
  userId: string
  after: Record<string, unknown> | null
  deliveryId: string
  dueAt: Date
  at: Date
}

async function measure(count: object, fromFirstLoad: readonly string[]) {
  const { rows: sent } = await sql.query<Sent>(
    `select event, subject_id as "subjectId", user_id as "userId", after, delivery_id as "deliveryId",
       due_at as "dueAt", sending_at as at from notices where sent_at is not null order by sending_at, id`,
  )
  const { rows: nightly } = await sql.query<{ id: string }>(
    `select n.id from notices n join users u on u.id = n.user_id
     cross join lateral jsonb_array_elements_text($1::jsonb -> u.state) as zone
     where n.sent_at is not null
       and (n.sending_at at time zone zone)::time not between '08:00' and '20:59:59'`,
    [JSON.stringify(ZONES)],
  )
  const delivered = Map.groupBy(mails, ({ messageId }) => messageId.slice(1, 37))
  const deliveries = new Set(sent.map(({ deliveryId }) => deliveryId))
  const stepOf = ({ at }: Sent) => Math.floor((at.getTime() - START) / STEP_MS)
  const personOf = ({ userId }: Sent) => people.find((person) => person.userId === userId)!
  const news = sent.filter(({ subjectId }) => bySubject.has(subjectId))
  const toGone = sent.filter((each) => stepOf(each) > personOf(each).goneAt)
  const untrue = news.filter((each) => {
    const states = statesAt(bySubject.get(each.subjectId)!, stepOf(each), stepOf(each) + 1)
    return !states.some((state) => isTrue(each, state))
  })
  const emails = Map.groupBy(news, ({ subjectId }) => subjectId)
  const all = [...bySubject.values()]
  const verdicts = new Map(
    all.map((subject) => [subject, verdict(subject, emails.get(subject.id) ?? [])]),
  )
  const doubled = all.filter((subject) => verdicts.get(subject)!.isDoubled)
  const missing = all.filter((subject) => verdicts.get(subject)!.isMissing)
  const loaded = sent.filter(({ subjectId }) => fromFirstLoad.includes(subjectId))
  const lost = [...deliveries].filter((id) => !delivered.has(id))
  const repeated = mails.length - delivered.size
  const reminders = sent.filter(({ event }) => event === 'documentDueIn2Days')
  figures('notices', {
    ...count,
    veterans: people.length,
    gone: people.filter(({ goneAt }) => goneAt !== Infinity).length,
    notices: sent.length,
    emails: delivered.size,
    'sent twice': doubled.length,
    missing: missing.length,
    'at night': nightly.length,
    'after their cause': untrue.length,
    'to people who are gone': toGone.length,
    'from the first load': loaded.length,
    'repeated by a kill with the same Message-ID': repeated,
    'assumed sent after a kill': lost.length,
  })
  headline.sum({
    notices: sent.length,
    'sent twice': doubled.length,
    missing: missing.length,
    'at night': nightly.length,
  })
  const byEvent = Map.groupBy(sent, ({ event }) => event)
  const sums = [...byEvent].map(([event, list]) => [event, list.length] as const)
  figures('sent, by event', Object.fromEntries(sums))
  return {
    sent: sent.length,
    nightly,
    untrue,
    toGone,
    doubled,
    missing,
    loaded,
    lost,
    repeated,
    unknownEmails: [...delivered.keys()].filter((id) => !deliveries.has(id)),
    reminders: reminders.map((each) => {
      const zone = ZONES[personOf(each).state]!.at(-1)!
      const local = (time: Date) => time.toLocaleString('sv-SE', { timeZone: zone })
      // The hour is that of the due time, because a kill may delay the sending.
      return `${each.subjectId} ${local(each.at).slice(0, 10)} ${local(each.dueAt).slice(11, 13)}`
    }),
  }
}

const isTrue = ({ event, after }: Sent, state: Record<string, unknown> | null): boolean => {
  if (event === 'documentRequested') return state?.['requested'] === true
  if (event === 'documentReviewed') return state?.['status'] === 'reviewed'
  if (event === 'documentNotUsable') return state?.['status'] === 'notUsable'
  if (event === 'appointmentCancelled') return state === null
  return isDeepStrictEqual(state, after)
}

/** Compares what the emails said with what is true in the end. */
function verdict({ kind, contactId, history }: Subject, emails: readonly Sent[]) {
  const { goneAt } = byContact.get(contactId)!
  const last = history.at(-1)!
  const isGone = goneAt !== Infinity
  if (kind === 'document') {
    const isMissing = !isGone && isMissingNotice(history, emails)
    return { isDoubled: isSentTwice(history, emails), isMissing }
  }
  let known = history[0]!.state
  let isDoubled = false
  for (const { event, after } of emails) {
    const now = event === 'appointmentCancelled' ? null : after
    // A case manager who was taken away in between leads to another notice.
    isDoubled ||= kind !== 'contact' && isDeepStrictEqual(known, now)
    known = now
  }
  const isWithoutManager = kind === 'contact' && last.state?.['manager'] === null
  return {
    isDoubled,
    isMissing: !isGone && !isWithoutManager && !isDeepStrictEqual(known, last.state),
  }
}

/** Whether a document was requested more often by email than in the CRM; the same for the other events. */
function isSentTwice(history: Subject['history'], emails: readonly Sent[]): boolean {
  const begins = (isNow: (state: Subject['history'][0]['state']) => boolean) =>
    history.filter(({ state }, at) => isNow(state) && !isNow(history[at - 1]?.state ?? null)).length
  const times = (event: string) => emails.filter((each) => each.event === event).length
  return (
    times('documentRequested') > begins((state) => state?.['requested'] === true) ||
    times('documentReviewed') > begins((state) => state?.['status'] === 'reviewed') ||
    times('documentNotUsable') > begins((state) => state?.['status'] === 'notUsable')
  )
}

/** Whether a document is requested, reviewed or unusable in the end, and no email said so since. */
function isMissingNotice(history: Subject['history'], emails: readonly Sent[]): boolean {
  const { state } = history.at(-1)!
  const isSame = (other: Subject['history'][0]) => isDeepStrictEqual(other.state, state)
  const first = history.findLastIndex((entry) => !isSame(entry)) + 1
  const since = history[first]!.step
  const before = history[first - 1]
  // A review leads to a notice only if the veteran knew the document; after a day, its request was sent.
  const wasKnown = before?.state && since - before.step > DAY_STEPS
  const event = eventOf(state)
  if (!event || (event === 'documentReviewed' && !wasKnown)) return false
  const isSentSince = emails.some((each) => each.event === event && each.at >= timeOf(since))
  // What was undone in the same night was never sent: the last email still says what is true.
  const previous = history.findLastIndex((entry, at) => at < first && isSame(entry))
  const wasUndone = previous >= 0 && since - history[previous + 1]!.step <= NIGHT_STEPS
  return !isSentSince && !(wasUndone && emails.at(-1)?.event === event)
}

function eventOf(state: Subject['history'][0]['state']): string | undefined {
  if (state?.['requested']) return 'documentRequested'
  if (state?.['status'] === 'notUsable') return 'documentNotUsable'
  return state?.['status'] === 'reviewed' ? 'documentReviewed' : undefined
}
