import { boot } from '@guidon/tests/boot'
import { linkTo, unlinked } from '@guidon/tests/links'
import { newMailbox } from '@guidon/tests/mailbox'
import { newId, noticeFixtures, TUESDAY } from '@guidon/tests/notices'
import { beforeEach, describe, expect, it } from 'vitest'

// Not the shared mailbox: a fault that is set here would affect other test files.
const mailbox = await newMailbox()
const { SMTP_URL } = mailbox.environment
const testApp = await boot({ worker: false, environment: { SMTP_URL } })
const { sql } = testApp
const notices = noticeFixtures(testApp)
await notices.loaded()
beforeEach(() => notices.at(TUESDAY))

const mailsTo = (email: string) => mailbox.mailsTo(email, { waitMs: 0 })
const subjectsTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject)

const FILE = { boxFileId: '1', lastUploadedAt: TUESDAY }

describe('what a veteran gets an email about', () => {
  it('is held for 10 minutes and then joined into one email', async () => {
    const { email, contactId } = await notices.veteran()
    await notices.store('document', notices.document(contactId), notices.document(contactId))
    await notices.store('appointment', notices.appointment(contactId))
    notices.later(9)
    expect(await notices.sendDue()).toEqual([])
    notices.later(1)
    expect(await notices.sendDue()).toEqual(['sent'])
    const [mail, ...more] = await mailsTo(email)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('You have a new appointment, and 1 other update')
    expect(mail?.text).toContain('We need 2 documents from you')
    expect(mail?.text).toContain('Tuesday, December 15, 2026 at 9:30 AM')
    expect(await notices.sendDue()).toEqual([])
  })

  it('is sent once, although the mirror stores the same change again', async () => {
    const { email, contactId } = await notices.veteran()
    const row = notices.document(contactId)
    await notices.store('document', row)
    await notices.store('document', row)
    notices.later(10)
    await notices.sendDue()
    await notices.store('document', row)
    notices.later(10)
    expect(await notices.sendDue()).toEqual([])
    expect(await subjectsTo(email)).toEqual(['We need a document from you'])
  })

  it('is not sent at night', async () => {
    const { email, contactId } = await notices.veteran()
    // 20:55 in California.
    notices.at('2026-11-18T04:55:00Z')
    await notices.store('document', notices.document(contactId))
    notices.at('2026-11-18T05:30:00Z')
    expect(await notices.sendDue()).toEqual([])
    notices.at('2026-11-18T15:59:00Z')
    expect(await notices.sendDue()).toEqual([])
    notices.at('2026-11-18T16:00:00Z')
    expect(await notices.sendDue()).toEqual(['sent'])
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('waits for the morning if the relay was down until the night', async () => {
    const { email, contactId } = await notices.veteran()
    await notices.store('document', notices.document(contactId))
    notices.later(10)
    await notices.collect()
    notices.at('2026-11-18T06:00:00Z')
    expect(await notices.sendDue()).toEqual(['postponed'])
    notices.at('2026-11-18T16:00:00Z')
    expect(await notices.sendDue()).toEqual(['sent'])
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('is nothing that waited longer than two days for the relay', async () => {
    const { email, contactId } = await notices.veteran()
    await notices.store('document', notices.document(contactId))
    notices.later(10)
    await notices.collect()
    notices.later(48 * 60)
    expect(await notices.sendDue()).toEqual(['superseded'])
    expect(await mailsTo(email)).toEqual([])
  })

  it('fits into one email, however much it is', async () => {
    const { email, contactId } = await notices.veteran()
    const times = Array.from({ length: 300 }, (_, at) => {
      const minute = String(at % 60).padStart(2, '0')
      return `${String(8 + Math.floor(at / 60)).padStart(2, '0')}:${minute}`
    })
    const rows = times.map((time) => notices.appointment(contactId, undefined, { time }))
    await notices.store('appointment', ...rows)
    notices.later(10)
    expect(await notices.sendDue()).toEqual(['sent'])
    const [mail, ...more] = await mailsTo(email)
    expect(more).toEqual([])
    // An email is made of at most 200 notices, and lists 20 of them.
    expect(mail?.text.match(/You have a new appointment/g)).toHaveLength(20)
    expect(mail?.text).toContain('And 180 other updates.')
    notices.later(10)
    expect(await notices.sendDue()).toEqual([])
  })

  it('is nothing about another contact, after staff corrected the link', async () => {
    const { email, contactId } = await notices.veteran()
    const id = newId('a02')
    await notices.store('appointment', notices.appointment(contactId, id))
    notices.later(10)
    await notices.sendDue()
    notices.later(1)
    await notices.store('appointment', notices.appointment(contactId, id, { scheduled: false }))
    notices.later(1)
    await linkTo(sql, { email }, newId('003'), { since: '2026-11-17T18:12:00Z' })
    notices.later(10)
    expect(await notices.sendDue()).toEqual(['superseded'])
    expect(await subjectsTo(email)).toEqual(['You have a new appointment'])
  })

  it('is nothing about an appointment that has begun', async () => {
    const { email, contactId } = await notices.veteran()
    // 20:55 in California.
    notices.at('2026-11-18T04:55:00Z')
    const early = { date: '2026-11-18', time: '07:30' }
    await notices.store('appointment', notices.appointment(contactId, undefined, early))
    notices.at('2026-11-18T16:00:00Z')
    expect(await notices.sendDue()).toEqual(['superseded'])
    expect(await mailsTo(email)).toEqual([])
  })

  it('is sent in the daytime of the state given at sign-up, if the contact has no valid state', async () => {
    const { email, contactId } = await notices.veteran({ state: 'Hawaii' })
    await notices.store('contact', notices.contact(contactId, { state: 'US' }))
    await notices.store('document', notices.document(contactId))
    // 7:30 in Hawaii.
    notices.at('2026-11-17T17:30:00Z')
    expect(await notices.sendDue()).toEqual([])
    notices.at('2026-11-17T18:30:00Z')
    expect(await notices.sendDue()).toEqual(['sent'])
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('is nothing from a first load, and nothing that is older than a day', async () => {
    const { email, contactId } = await notices.veteran()
    await sql.query(`update crm_sync_cursor set completed_at = null where kind = 'document'`)
    await notices.store('document', notices.document(contactId))
    await notices.loaded()
    const old = { modifiedAt: '2026-11-16T17:00:00Z' }
    await notices.store('document', notices.document(contactId, undefined, old))
    notices.later(10)
    expect(await notices.sendDue()).toEqual([])
    expect(await mailsTo(email)).toEqual([])
  })

  it('is nothing that was there before the account was linked', async () => {
    const { contactId } = await notices.veteran({}, { since: '2026-11-17T19:00:00Z' })
    await notices.store('document', notices.document(contactId))
    notices.later(10)
    expect(await notices.sendDue()).toEqual([])
  })
})

describe('an email whose worker died while the relay had it', () => {
  /** Leaves the rows as that worker does: nobody knows whether the relay accepted the email. */
  const crashed = async () => {
    const person = await notices.veteran()
    const id = newId('a01')
    await notices.store('document', notices.document(person.contactId, id))
    notices.later(10)
    await notices.collect()
    await sql.query('update notices set sending_at = $2 where user_id = $1', [
      person.userId,
      TUESDAY,
    ])
    const { rows } = await sql.query<{ id: string }>(
      'select id from deliveries where user_id = $1',
      [person.userId],
    )
    return { ...person, documentId: id, deliveryId: rows[0]!.id }
  }

  it('is sent again, with the same Message-ID', async () => {
    const { email, deliveryId } = await crashed()
    expect(await notices.sendDue()).toEqual(['sent'])
    const [mail] = await mailsTo(email)
    expect(mail?.messageId).toContain(deliveryId)
  })

  it('keeps the Message-ID over the night, and what is new is another email', async () => {
    const { email, contactId, deliveryId } = await crashed()
    notices.at('2026-11-18T06:00:00Z')
    await notices.store('appointment', notices.appointment(contactId))
    expect(await notices.sendDue()).toEqual(['postponed'])
    notices.at('2026-11-18T16:00:00Z')
    expect(await notices.sendDue()).toEqual(['sent', 'sent'])
    const mails = await mailsTo(email)
    expect(mails.map(({ subject }) => subject)).toEqual([
      'You have a new appointment',
      'We need a document from you',
    ])
    expect(mails.map(({ messageId }) => messageId.includes(deliveryId))).toEqual([false, true])
  })

  it('counts as sent if what it says is no longer true', async () => {
    const { email, contactId, documentId, userId } = await crashed()
    await notices.store(
      'document',
      notices.document(contactId, documentId, { ...FILE, status: 'received' }),
    )
    expect(await notices.sendDue()).toEqual(['sent'])
    expect(await mailsTo(email)).toEqual([])
    const { rows } = await sql.query(
      `select n.void_at, d.state from notices n join deliveries d on d.id = n.delivery_id
       where n.user_id = $1`,
      [userId],
    )
    expect(rows).toEqual([{ void_at: null, state: 'sent' }])
  })
})

it('a notice waits while the relay fails, and is not sent if its cause is gone meanwhile', async () => {
  const { email, contactId } = await notices.veteran()
  const id = newId('a01')
  await notices.store('document', notices.document(contactId, id))
  notices.later(10)
  await mailbox.fault('fail', 1)
  await expect(notices.sendDue()).rejects.toThrow('451')
  await notices.store('document', notices.document(contactId, id, { ...FILE, status: 'received' }))
  notices.later(10)
  expect(await notices.retry()).toEqual(['superseded'])
  expect(await mailsTo(email)).toEqual([])
})

it('a lost response of the relay leads to the same email again, with the same Message-ID', async () => {
  const { email, contactId, userId } = await notices.veteran()
  const id = newId('a02')
  await notices.store('appointment', notices.appointment(contactId, id))
  notices.later(10)
  await mailbox.fault('hang', 1)
  await expect(notices.sendDue()).rejects.toThrow(/imeout/)
  await mailbox.fault('none')
  // The first email may have arrived, so the new time of the appointment needs an email of its own.
  notices.later(1)
  await notices.store('appointment', notices.appointment(contactId, id, { time: '11:00' }))
  expect(await notices.retry()).toEqual(['sent'])
  notices.later(10)
  expect(await notices.sendDue()).toEqual(['sent'])
  expect((await subjectsTo(email))[0]).toBe('Your appointment was moved')
  const { rows } = await sql.query(
    'select event, sent_at is not null as sent from notices where user_id = $1 order by id',
    [userId],
  )
  expect(rows).toEqual([
    { event: 'appointmentSet', sent: true },
    { event: 'appointmentMoved', sent: true },
  ])
})

describe('a cause that is gone', () => {
  it.each([
    ['the document arrived', FILE],
    ['the request was deleted', { deleted: true }],
    ['the document came by another way', { status: 'reviewed' as const }],
  ])('%s: the document is not requested', async (_, change) => {
    const { email, contactId } = await notices.veteran()
    const id = newId('a01')
    await notices.store('document', notices.document(contactId, id))
    notices.later(1)
    await notices.store('document', notices.document(contactId, id, change))
    notices.later(20)
    await notices.sendDue()
    expect((await subjectsTo(email)).join()).not.toContain('need')
  })

  it('the veteran uploaded the document, which the CRM does not know yet: nothing is sent', async () => {
    const { email, contactId, userId } = await notices.veteran()
    const row = notices.document(contactId)
    await notices.store('document', row)
    notices.later(10)
    await sql.query(
      `insert into documents (user_id, name, type, size, sha256, crm_id)
       values ($1, 'a.pdf', 'Other', 1, '', $2)`,
      [userId, row.id],
    )
    expect(await notices.sendDue()).toEqual(['superseded'])
    expect(await mailsTo(email)).toEqual([])
  })

  it('an appointment is moved twice: only the last time is sent', async () => {
    const { email, contactId } = await notices.veteran()
    const id = newId('a02')
    await notices.store('appointment', notices.appointment(contactId, id))
    notices.later(10)
    await notices.sendDue()
    for (const date of ['2026-12-16', '2026-12-17']) {
      notices.later(2)
      await notices.store('appointment', notices.appointment(contactId, id, { date }))
    }
    notices.later(10)
    await notices.sendDue()
    const [moved, set, ...more] = await mailsTo(email)
    expect([moved?.subject, set?.subject, more]).toEqual([
      'Your appointment was moved',
      'You have a new appointment',
      [],
    ])
    expect(moved?.text).toContain('December 17')
  })

  it('an appointment is moved and moved back: nothing is sent', async () => {
    const { email, contactId } = await notices.veteran()
    const id = newId('a02')
    await notices.store('appointment', notices.appointment(contactId, id))
    notices.later(10)
    await notices.sendDue()
    for (const date of ['2026-12-16', '2026-12-15']) {
      notices.later(2)
      await notices.store('appointment', notices.appointment(contactId, id, { date }))
    }
    notices.later(10)
    await notices.sendDue()
    expect(await subjectsTo(email)).toEqual(['You have a new appointment'])
  })

  it('an appointment is set and cancelled within 10 minutes: nothing is sent', async () => {
    const { email, contactId } = await notices.veteran()
    const id = newId('a02')
    await notices.store('appointment', notices.appointment(contactId, id))
    notices.later(2)
    await notices.store('appointment', notices.appointment(contactId, id, { scheduled: false }))
    notices.later(10)
    expect(await notices.sendDue()).toEqual([])
    expect(await mailsTo(email)).toEqual([])
  })

  it('a cancellation is sent, also if the appointment was deleted', async () => {
    const { email, contactId } = await notices.veteran()
    const ids = [newId('a02'), newId('a02')]
    const rows = (row: object) => ids.map((id) => notices.appointment(contactId, id, row))
    await notices.store('appointment', ...rows({}))
    notices.later(10)
    await notices.sendDue()
    const [first, second] = ids
    notices.later(10)
    await notices.store(
      'appointment',
      notices.appointment(contactId, first, { scheduled: false }),
      notices.appointment(contactId, second, { deleted: true }),
    )
    notices.later(10)
    await notices.sendDue()
    const [mail] = await mailsTo(email)
    expect(mail?.subject).toBe('Your appointment was cancelled')
    expect(mail?.text).toContain('December 15')
  })

  it('an appointment that took place does not count as cancelled', async () => {
    const { email, contactId } = await notices.veteran()
    const id = newId('a02')
    const today = { date: '2026-11-17', time: '14:00' }
    await notices.store('appointment', notices.appointment(contactId, id, today))
    notices.later(10)
    await notices.sendDue()
    notices.later(120)
    const done = { ...today, scheduled: false }
    await notices.store('appointment', notices.appointment(contactId, id, done))
    notices.later(10)
    expect(await notices.sendDue()).toEqual([])
    expect(await subjectsTo(email)).toEqual(['You have a new appointment'])
  })
})

it('one email reports a reviewed document, a moved claim and a new case manager', async () => {
  const { email, contactId } = await notices.veteran()
  const [first, second] = notices.stages
  const claim = newId('a03')
  const document = newId('a01')
  const sent = { ...FILE, portalDocumentId: 'x', status: null }
  await notices.store('contact', notices.contact(contactId))
  await notices.store('claim', notices.claim(contactId, claim, { stage: first!.key }))
  await notices.store('document', notices.document(contactId, document, sent))
  notices.later(1)
  await notices.store('contact', notices.contact(contactId, { caseManagerId: '005' }))
  await notices.store('claim', notices.claim(contactId, claim, { stage: second!.key }))
  const reviewed = { ...sent, status: 'reviewed' as const }
  await notices.store('document', notices.document(contactId, document, reviewed))
  notices.later(10)
  expect(await notices.sendDue()).toEqual(['sent'])
  const [mail] = await mailsTo(email)
  expect(mail?.text).toContain('You have a new case manager')
  expect(mail?.text).toContain(`It is in this step: ${second!.label}.`)
  expect(mail?.text).toContain('We reviewed a document that you sent')
})

describe('people who get no notices', () => {
  it('unlinked', async () => {
    const never = await notices.veteran({}, 'none')
    const noLonger = await notices.veteran()
    for (const { contactId } of [never, noLonger]) {
      await notices.store('document', notices.document(contactId))
    }
    await unlinked(sql, noLonger.userId)
    notices.later(10)
    expect(await notices.sendDue()).toEqual(['no-recipient'])
    for (const { email } of [never, noLonger]) expect(await mailsTo(email)).toEqual([])
  })

  it.each([
    ['deactivated', { is_active: false }],
    ['staff', { role: 'STAFF' }],
  ])('%s', async (_, columns) => {
    const excludedBefore = await notices.veteran(columns)
    const excludedAfter = await notices.veteran()
    for (const { contactId } of [excludedBefore, excludedAfter]) {
      await notices.store('document', notices.document(contactId))
    }
    const [column] = Object.keys(columns)
    await sql.query(`update users set ${column} = $2 where email = $1`, [
      excludedAfter.email,
      Object.values(columns)[0],
    ])
    notices.later(10)
    expect(await notices.sendDue()).toEqual(['no-recipient'])
    expect(await mailsTo(excludedBefore.email)).toEqual([])
    expect(await mailsTo(excludedAfter.email)).toEqual([])
  })

  it('deceased', async () => {
    const { email, contactId } = await notices.veteran()
    await notices.store('document', notices.document(contactId))
    await notices.store('contact', notices.contact(contactId, { deceased: true }))
    await notices.store('document', notices.document(contactId))
    notices.later(10)
    expect(await notices.sendDue()).toEqual(['no-recipient'])
    expect(await mailsTo(email)).toEqual([])
  })
})

describe('a reminder', () => {
  const remindAt = async (time: string) => {
    notices.at(time)
    await notices.remind()
    return notices.sendDue()
  }

  it('of a document comes at 10:00, 7 and 2 days before it is due, and once when it is overdue', async () => {
    const { email, contactId } = await notices.veteran()
    await notices.store(
      'document',
      notices.document(contactId, undefined, { dueDate: '2026-12-20' }),
    )
    notices.later(10)
    await notices.sendDue()
    for (let hour = Date.parse('2026-12-10T00:05:00Z'); hour < Date.parse('2026-12-26');) {
      await remindAt(new Date(hour).toISOString())
      hour += 4 * 3_600_000
    }
    expect(await subjectsTo(email)).toEqual([
      'We are still waiting for a document',
      'A document is due in 2 days',
      'A document is due in 7 days',
      'We need a document from you',
    ])
    const { rows } = await sql.query<{ due: Date }>(
      `select due_at as due from notices n join users u on u.id = n.user_id
       where email = $1 and event in ('documentDueIn7Days', 'documentDueIn2Days', 'documentOverdue')
       order by due_at`,
      [email],
    )
    expect(rows.map(({ due }) => due.toISOString())).toEqual([
      '2026-12-13T18:00:00.000Z',
      '2026-12-18T18:00:00.000Z',
      '2026-12-21T18:00:00.000Z',
    ])
  })

  it('never says a wrong day: what waited over the night is left out', async () => {
    const { email, contactId } = await notices.veteran()
    const row = { date: '2027-02-10', time: '14:00' }
    await notices.store('appointment', notices.appointment(contactId, undefined, row))
    await notices.store(
      'document',
      notices.document(contactId, undefined, { dueDate: '2027-02-11' }),
    )
    notices.later(10)
    await notices.sendDue()
    // Both reminders are due on February 9 at 10:00, but nothing is sent before 8:00 on the next day.
    notices.at('2027-02-09T12:05:00Z')
    await notices.remind()
    notices.at('2027-02-10T16:00:00Z')
    expect(await notices.sendDue()).toEqual(['superseded'])
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('is not added in the evening, when it could only be sent on the next day', async () => {
    const { email, contactId } = await notices.veteran()
    // 20:05 in California.
    notices.at('2027-02-17T04:05:00Z')
    const row = { date: '2027-02-17', time: '14:00' }
    await notices.store('appointment', notices.appointment(contactId, undefined, row))
    expect(await notices.remind()).toBe(0)
    notices.later(10)
    await notices.sendDue()
    expect(await subjectsTo(email)).toEqual(['You have a new appointment'])
  })

  it('is added for each row, also beyond the first page of the query', async () => {
    const { userId, contactId } = await notices.veteran()
    const ids = Array.from({ length: 2_001 }, () => newId('a01'))
    const old = { dueDate: '2027-05-20', modifiedAt: '2027-05-01T00:00:00Z' }
    for (const part of [ids.slice(0, 1_000), ids.slice(1_000)]) {
      await notices.store('document', ...part.map((id) => notices.document(contactId, id, old)))
    }
    // As autovacuum does in production: without it, PostgreSQL plans for empty tables.
    await sql.query('analyze')
    notices.at('2027-05-18T12:00:00Z')
    await notices.remind()
    await sql.query('analyze')
    expect(await notices.remind()).toBe(0)
    const { rows } = await sql.query(
      `select count(*)::int as n from notices where user_id = $1 and event = 'documentDueIn2Days'`,
      [userId],
    )
    expect(rows).toEqual([{ n: 2_001 }])
    await sql.query('update notices set void_at = now() where user_id = $1', [userId])
  })

  it('of a document does not come after its due date was changed', async () => {
    const { email, contactId } = await notices.veteran()
    const id = newId('a01')
    await notices.store('document', notices.document(contactId, id, { dueDate: '2027-01-20' }))
    notices.later(10)
    await notices.sendDue()
    notices.at('2027-01-13T09:00:00Z')
    await notices.remind()
    await notices.store('document', notices.document(contactId, id, { dueDate: '2027-02-20' }))
    notices.at('2027-01-13T19:00:00Z')
    expect(await notices.sendDue()).toEqual(['superseded'])
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('of an appointment comes 7 days before and the day before', async () => {
    const { email, contactId } = await notices.veteran()
    const row = { date: '2027-03-14', time: '08:00' }
    await notices.store('appointment', notices.appointment(contactId, undefined, row))
    notices.later(10)
    await notices.sendDue()
    for (let hour = Date.parse('2027-03-05T00:05:00Z'); hour < Date.parse('2027-03-16');) {
      await remindAt(new Date(hour).toISOString())
      hour += 4 * 3_600_000
    }
    expect(await subjectsTo(email)).toEqual([
      'Your appointment is tomorrow',
      'Your appointment is in 7 days',
      'You have a new appointment',
    ])
  })

  it('of the intake comes on day 3 and day 6, and never again', async () => {
    const created = { created_at: '2027-04-01T20:00:00Z' }
    const { email, userId } = await notices.veteran(created, { origin: 'portal' })
    const sent = await notices.veteran(created, { origin: 'portal' })
    await sql.query(
      `insert into intakes (user_id, key_id, sealed, step, version, submitted_at)
       values ($1, '', '', '', 1, now())`,
      [sent.userId],
    )
    for (let hour = Date.parse('2027-04-01T00:05:00Z'); hour < Date.parse('2027-04-15');) {
      await remindAt(new Date(hour).toISOString())
      hour += 4 * 3_600_000
    }
    expect(await subjectsTo(email)).toEqual([
      'Please finish your intake',
      'Please finish your intake',
    ])
    expect(await mailsTo(sent.email)).toEqual([])
    const { rows } = await sql.query<{ at: Date }>(
      'select due_at as at from notices where user_id = $1 order by 1',
      [userId],
    )
    expect(rows.map(({ at }) => at.toISOString())).toEqual([
      '2027-04-04T17:00:00.000Z',
      '2027-04-07T17:00:00.000Z',
    ])
  })
})
