import { randomUUID } from 'node:crypto'
import { getAppointments } from '@guidon/contract/appointments'
import { getClaims } from '@guidon/contract/claims'
import { getDocuments } from '@guidon/contract/documents'
import { updateUser } from '@guidon/contract/manage-users'
import { afterAll, expect, it, vi } from 'vitest'
import { unsettledMoves } from '../../../api/src/crm/links/shown-records.sql.ts'
import { boot, NEWCOMER } from '../../support/boot.ts'
import { limitedConcurrency } from '../../support/concurrency.ts'
import { mailbox } from '../../support/mailbox.ts'
import { newOrg } from '../../support/org.ts'
import type { TestClient } from '../../support/test-client.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

/**
 * Each sequence has a veteran of the provider, sometimes with an account, a stranger who signs up with the veteran's name,
 * phone and state, and somebody else. Then staff and the owners do things to them at random. An account may see records
 * about its own person, and those of contacts that staff have confirmed for it.
 */

const SEQUENCES = smallOrFull(12, 1_000)
const STEPS = smallOrFull(6, 8)
const CONCURRENT = 6
vi.setConfig({ testTimeout: smallOrFull(300_000, 5_000_000) })

const org = await newOrg()
const testApp = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '2' } })
const { sql } = testApp
const staff = await testApp.withSession(await testApp.account('ADMIN'))

type Person = 'veteran' | 'stranger' | 'other'
const PEOPLE: readonly Person[] = ['veteran', 'stranger', 'other']

interface Account {
  client: TestClient
  userId: string
  email: string
  /** Contacts that staff have confirmed, and those that they were merged into. */
  confirmed: Set<string>
}

interface Sequence {
  number: number
  email: Record<Person, string>
  contacts: Partial<Record<Person, string>>
  accounts: Partial<Record<Person, Account>>
  /** CRM ids of appointments, claims and documents, with their contacts and whom each is about. */
  records: Map<string, { contactId: string; about: Set<Person> }>
  /** What was done, for the message of a failure. */
  done: string[]
  random(): number
}

/** Mulberry32, so that a failed run can be repeated. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const each = <Result>(sequences: readonly Sequence[], run: (one: Sequence) => Promise<Result>) =>
  limitedConcurrency(sequences.length, (index) => run(sequences[index]!), CONCURRENT)

async function addRecord(
  { records, random }: Sequence,
  contactId: string,
  about: Person,
): Promise<void> {
  const kind = Math.floor(random() * 3)
  const id = await (kind === 0
    ? org.staff('add-appointment', { contactId, date: '2031-05-06', time: '09:30' })
    : kind === 1
      ? org.staff('add-claim', { contactId, title: 'Claim', stage: 'Case Review' })
      : org.staff('request-document', { contactId, name: randomUUID(), type: 'Other' }))
  records.set(id, { contactId, about: new Set([about]) })
}

/** The run takes longer than a session lasts. */
const keepSessions = () =>
  sql.query(
    `with kept as (update sessions set idle_limit = '1 day', expires_at = now() + interval '1 day'
       where idle_limit <> '1 day')
     update session_tokens set access_expires_at = now() + interval '1 day'
     where access_expires_at < now() + interval '1 hour'`,
  )

async function signUp(sequence: Sequence, person: Person): Promise<void> {
  const email = sequence.email[person]
  const { client, userId } = await testApp.signedUp(email)
  await keepSessions()
  sequence.accounts[person] = { client, userId, email, confirmed: new Set() }
}

async function prepare(number: number): Promise<Sequence> {
  const emailOf = (person: Person) => `${person}-${number}-${randomUUID().slice(0, 8)}@example.com`
  const sequence: Sequence = {
    number,
    email: { veteran: emailOf('veteran'), stranger: emailOf('stranger'), other: emailOf('other') },
    contacts: {},
    accounts: {},
    records: new Map(),
    done: [],
    random: randomOf(number + 1),
  }
  const same = { FirstName: NEWCOMER.firstName, LastName: NEWCOMER.lastName, Phone: NEWCOMER.phone }
  for (const person of ['veteran', 'other'] as const) {
    const fields = person === 'veteran' ? same : { LastName: 'Moore', Phone: '2025550100' }
    const id = await org.staff('add-contact', { ...fields, Email: sequence.email[person] })
    sequence.contacts[person] = id
    await addRecord(sequence, id, person)
    await addRecord(sequence, id, person)
  }
  return sequence
}

/** Waits until everything that was done is in the mirror, sent, and decided, and until each record that moved is shown or asked about. */
async function settled(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const { rows } = await sql.query<{ at: Date }>('select clock_timestamp() as at')
    const at = rows[0]!.at
    await expect
      .poll(
        async () => {
          const behind = await sql.query(
            `select from crm_sync_cursor where kind in ('contact', 'appointment', 'claim', 'document')
               and (completed_at is null or completed_at < $1)`,
            [at],
          )
          return behind.rowCount
        },
        { timeout: 120_000, interval: 250 },
      )
      .toBe(0)
  }
  await expect
    .poll(() => unsettledMoves(testApp.db), { timeout: 300_000, interval: 250 })
    .toEqual([])
}

const pick = <T>(from: readonly T[], random: () => number): T | undefined =>
  from[Math.floor(random() * from.length)]

interface Question {
  id: string
  contactId: string
  accountEmail: string
}
async function questionsOf({ accounts }: Sequence): Promise<Question[]> {
  const emails = new Set(Object.values(accounts).map(({ email }) => email))
  return questions.filter(({ accountEmail }) => emails.has(accountEmail))
}
let questions: Question[] = []
async function readQuestions(): Promise<void> {
  const { rows } = await sql.query<Question>(
    `select links.id, contact_id as "contactId", email as "accountEmail"
     from links join users on users.id = user_id where question is not null`,
  )
  questions = rows
  // Decisions need a recent sign-in.
  await sql.query('update sessions set created_at = now()')
}

/**
 * Staff file records under another contact. If no account has that contact, it is then known whose they are: whoever gets
 * the contact by a proof gets them with it.
 */
async function fileUnder(
  { records, contacts }: Sequence,
  ids: readonly string[],
  contactId: string,
): Promise<void> {
  const { rowCount } = await sql.query(
    `select from links where contact_id = $1 and state in ('live', 'frozen')`,
    [contactId],
  )
  const person = PEOPLE.find((one) => contacts[one] === contactId)
  for (const id of ids) {
    const record = records.get(id)!
    record.contactId = contactId
    if (rowCount === 0 && person) record.about.add(person)
  }
}

const counts = new Map<string, number>()

type Step = (sequence: Sequence) => Promise<unknown>
const both = ({ contacts, random }: Sequence) => {
  const ids = Object.values(contacts)
  const one = pick(ids, random)
  const other = pick(
    ids.filter((id) => id !== one),
    random,
  )
  return one && other ? ([one, other] as const) : undefined
}
const survivorOf = ({ contacts, random }: Sequence) => pick(Object.entries(contacts), random)

/** Staff may do all this in the CRM and in the portal; each step may be refused. */
const steps: Record<string, Step> = {
  merge: async (sequence) => {
    const pair = both(sequence)
    if (!pair) return
    const ofLoser = [...sequence.records].filter(([, { contactId }]) => contactId === pair[1])
    await fileUnder(
      sequence,
      ofLoser.map(([id]) => id),
      pair[0],
    )
    await org.staff('merge-contacts', { contactId: pair[0], loserId: pair[1] })
    for (const person of PEOPLE) {
      if (sequence.contacts[person] === pair[1]) delete sequence.contacts[person]
    }
    // Its records move, and an account that staff confirmed for it keeps them.
    for (const { confirmed } of Object.values(sequence.accounts)) {
      if (confirmed.has(pair[1])) confirmed.add(pair[0])
    }
  },
  'move a record': async (sequence) => {
    const pair = both(sequence)
    const record = pick([...sequence.records.keys()], sequence.random)
    if (!pair || !record) return
    await fileUnder(sequence, [record], pair[0])
    await org.staff('change-row', { id: record, Veteran__c: pair[0] })
  },
  'add a record': async (sequence) => {
    const found = survivorOf(sequence)
    // About whom it is, is known for the contact that the provider had for this person.
    if (found) await addRecord(sequence, found[1], found[0] as Person)
  },
  'enter an id': async ({ accounts, contacts, random }) => {
    const account = pick(Object.values(accounts), random)
    const salesforceId = pick(Object.values(contacts), random)
    if (!account || !salesforceId) return
    await staff.call(updateUser, { params: { id: account.userId }, body: { salesforceId } })
  },
  'change an email': async ({ contacts, random }) => {
    const contactId = pick(Object.values(contacts), random)
    if (contactId) {
      await org.staff('edit-contact', { contactId, Email: `${randomUUID()}@example.com` })
    }
  },
  delete: async (sequence) => {
    const found = survivorOf(sequence)
    if (!found || sequence.random() > 0.3) return
    await org.staff('delete-row', { id: found[1] })
    delete sequence.contacts[found[0] as Person]
  },
  confirm: async (sequence) => {
    const question = pick(await questionsOf(sequence), sequence.random)
    if (!question) return
    const body = { decision: 'confirm', reason: 'Called the veteran.' }
    const { status } = await staff.send('POST', `/admin/links/${question.id}/decision`, body)
    const account = Object.values(sequence.accounts).find(
      ({ email }) => email === question.accountEmail,
    )
    if (status === 204) account!.confirmed.add(question.contactId)
  },
  refuse: async (sequence) => {
    const question = pick(await questionsOf(sequence), sequence.random)
    if (!question) return
    const body = { decision: 'refuse', reason: 'Somebody else.' }
    await staff.send('POST', `/admin/links/${question.id}/decision`, body)
  },
  unlink: async ({ accounts, random }) => {
    const account = pick(Object.values(accounts), random)
    if (account) await testApp.admin.accounts.unlink(account.email)
  },
}

/** The ids of all records that an account is shown. */
async function shownTo({ client }: Account): Promise<string[]> {
  const lists = await Promise.all([
    client.call(getAppointments, {}),
    client.call(getClaims, {}),
    client.call(getDocuments, {}),
  ])
  return lists.flatMap(({ body }) => (body as { id: string }[]).map(({ id }) => id))
}

const contactOfRecords = async (ids: readonly string[]) => {
  const { rows } = await sql.query<{ id: string; contact: string }>(
    `select id, contact_id as contact from crm_appointment where id = any($1)
     union all select id, contact_id from crm_claim where id = any($1)
     union all select id, contact_id from crm_document where id = any($1)`,
    [ids],
  )
  return new Map(rows.map(({ id, contact }) => [id, contact]))
}

let checked = 0
const wrong: string[] = []
let shown = 0

async function check(sequence: Sequence, after: string): Promise<void> {
  for (const [person, account] of Object.entries(sequence.accounts) as [Person, Account][]) {
    const ids = await shownTo(account)
    const contacts = await contactOfRecords(ids)
    checked += 1
    shown += ids.length
    for (const id of ids) {
      const about = sequence.records.get(id)?.about ?? new Set()
      if (about.has(person)) continue
      if (account.confirmed.has(contacts.get(id) ?? '')) continue
      wrong.push(
        `sequence ${sequence.number}, after ${after}: ${person} sees a record about ${[...about].join(' and ')} (${sequence.done.join(', ')})`,
      )
    }
  }
}

const sequences: Sequence[] = []
afterAll(() => sequences.splice(0))

it('no account sees a record about somebody else, unless staff have confirmed it', async () => {
  for (const one of await limitedConcurrency(SEQUENCES, prepare, CONCURRENT)) sequences.push(one)
  await settled()
  await each(sequences, async (sequence) => {
    const order: Person[] =
      sequence.random() < 0.5 ? ['veteran', 'stranger'] : ['stranger', 'other']
    for (const person of order) await signUp(sequence, person)
  })
  await settled()
  await each(sequences, async (sequence) => {
    const { accounts } = sequence
    for (const person of ['stranger'] as const) {
      const made = await org.rows<{ Id: string }>('Contact', {
        Portal_User_Id__c: accounts[person]!.userId,
      })
      if (made[0]) sequence.contacts[person] = made[0].Id
    }
    await check(sequence, 'the sign-ups')
  })
  const names = Object.keys(steps)
  for (let number = 1; number <= STEPS; number += 1) {
    await readQuestions()
    const done = await each(sequences, async (sequence) => {
      // The first step is what strangers wait for.
      const name = number === 1 ? 'merge' : pick(names, sequence.random)!
      counts.set(name, (counts.get(name) ?? 0) + 1)
      sequence.done.push(name)
      await steps[name]!(sequence).catch((error: Error) => {
        if (!/^(?:POST|Error)|ENTITY_IS_DELETED|NOT_FOUND|INVALID/.test(error.message)) throw error
      })
      return name
    })
    await settled()
    await each(sequences, (sequence) => check(sequence, `step ${number}, ${done[sequence.number]}`))
  }
  figures('sequences', {
    sequences: SEQUENCES,
    steps: SEQUENCES * STEPS,
    ...Object.fromEntries(counts),
    'screens checked': checked,
    'records shown': shown,
    'shown to the wrong account': wrong.length,
  })
  headline.sum({
    sequences: SEQUENCES,
    'screens checked': checked,
    'records shown to the wrong account': wrong.length,
  })
  if (wrong.length > 0) figures('wrong', { examples: wrong.slice(0, 12).join('\n') })
  expect(wrong).toEqual([])
})

it('each change of a link has its audit event and its email', async () => {
  await settled()
  const emails = sequences.flatMap(({ accounts }) =>
    Object.values(accounts).map(({ email }) => email),
  )
  const { rows } = await sql.query<{
    linked: number
    events: number
    email: string
    counts: Record<string, number>
  }>(
    `select email,
       (select count(*)::int from links where user_id = users.id and live_at is not null and origin <> 'portal') as linked,
       coalesce((select jsonb_object_agg(event, count) from (
         select event, count(*)::int from audit_events where subject_id = users.id
           and event in ('account_linked', 'account_unlinked', 'link_confirmed', 'records_moved')
         group by event) as counted), '{}') as counts
     from users where email = any($1)`,
    [emails],
  )
  const missing: string[] = []
  let changes = 0
  await limitedConcurrency(
    rows.length,
    async (index) => {
      const { email, linked, counts: of } = rows[index]!
      const count = (event: string) => of[event] ?? 0
      const expected = {
        'account shows your records': count('account_linked') + count('link_confirmed'),
        'no longer shows the records': count('account_unlinked'),
        'Some records left': count('records_moved'),
      }
      changes += Object.values(expected).reduce((sum, one) => sum + one, 0)
      if (linked !== count('account_linked'))
        missing.push(`${email}: ${linked} links, ${count('account_linked')} events`)
      for (const [subject, times] of Object.entries(expected)) {
        const arrived = async () =>
          (await mailbox.mailsTo(email, { waitMs: 0 })).filter((mail) =>
            mail.subject.includes(subject),
          ).length
        await vi
          .waitUntil(async () => (await arrived()) >= times, { timeout: 60_000 })
          .catch(() => {})
        if ((await arrived()) !== times)
          missing.push(`${email}: ${subject}: ${await arrived()} of ${times}`)
      }
    },
    CONCURRENT,
  )
  figures('changes of links', { changes, 'without event or email': missing.length })
  if (missing.length > 0) figures('missing', { examples: missing.slice(0, 10).join('; ') })
  headline.sum({ 'changes without event or email': missing.length })
  expect(missing).toEqual([])
})
