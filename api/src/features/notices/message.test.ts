import { boot } from '@guidon/tests/boot'
import { mailbox } from '@guidon/tests/mailbox'
import { newId, noticeFixtures, TUESDAY } from '@guidon/tests/notices'
import { describe, expect, it } from 'vitest'
import { readBrand } from '../../platform/brand.ts'
import { EVENTS } from './decide.ts'
import type { NoticeEvent } from './decide.ts'
import { noticesMessage } from './message.ts'

const { brand, stages } = readBrand(`${import.meta.dirname}/../../../../brand`)
const PORTAL = 'https://portal.guidon.example'
const LINK = `${PORTAL}/notices/unsubscribe?token=abc.def`
const events = Object.keys(EVENTS) as NoticeEvent[]
const itemOf = (event: NoticeEvent) => ({
  event,
  date: '2026-12-01',
  time: '14:30',
  stage: stages[1]!.key,
})
const messageOf = (...list: NoticeEvent[]) =>
  noticesMessage({ brand, stages, portal: PORTAL, link: LINK }, list.map(itemOf))

describe.each(events)('the email of %s', (event) => {
  it('says the same in text and HTML, for light and dark', async () => {
    const { subject, text, html } = await messageOf(event)
    expect(text).toContain(subject)
    const words = html.replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, ' ')
    // Addresses of links are not among the words.
    const lines = text.replaceAll(/ ?https:\S+/g, '').split(/\n+/)
    for (const line of lines.filter(Boolean)) {
      const plain = words.replaceAll(/&#x27;|&#39;/g, "'").replaceAll(/\s+/g, '')
      expect(plain).toContain(line.replace(/:$/, '').replaceAll(/\s+/g, ''))
    }
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
    expect(html).toContain('prefers-color-scheme: dark')
  })

  it('names the portal by its bare host, and links only to the switches and to free help', async () => {
    const { text, html } = await messageOf(event)
    expect(text).toContain('portal.guidon.example and sign in')
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!)
    const pages = links.filter((href) => !/^(tel|sms):/.test(href))
    expect(pages).toEqual([LINK, brand.legal.notice?.link?.url])
  })

  it('can be turned off with one click', async () => {
    expect((await messageOf(event)).headers).toEqual({
      'List-Unsubscribe': `<${LINK}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
  })
})

it('a value of the CRM that the provider has no label for is not written', async () => {
  const step = { ...itemOf('claimStep'), stage: 'Tinnitus exam' }
  const parts = { brand, stages, portal: PORTAL, link: LINK }
  const { text } = await noticesMessage(parts, [step])
  expect(text).not.toContain('Tinnitus')
})

it('one email with everything has each title once', async () => {
  const { subject, text } = await messageOf(...events, 'documentReviewed')
  expect(subject).toBe('You have a new appointment, and 13 other updates')
  expect(text.match(/Please finish your intake/g)).toHaveLength(1)
  expect(text).toContain('We reviewed 2 documents that you sent')
})

it('several documents are counted, and the text says "them"', async () => {
  const due = { ...itemOf('documentRequested'), date: '2026-12-01' }
  const parts = { brand, stages, portal: PORTAL, link: LINK }
  const { subject, text } = await noticesMessage(parts, [due, due])
  expect(subject).toBe('We need 2 documents from you')
  expect(text).toContain('We need them by Tuesday, December 1, 2026.')
  const bad = (date: string | null) => ({ ...itemOf('documentNotUsable'), date })
  const unusable = await noticesMessage(parts, [bad('2026-12-01'), bad('2026-12-02'), bad(null)])
  expect(unusable.subject).toBe('We cannot use 3 documents that you sent')
})

/** Written by staff or the veteran in fields of the CRM. */
const PLANTED = [
  'Planted-Document',
  'Planted-Type',
  'Planted-Reason',
  'Planted-Status-Reason',
  'Planted-Clinic',
  'Planted-Claim',
  'Planted-Stage',
  'Planted-Next-Step',
  'Planted-Street',
  'Whitfield',
]

it('no email has a word that staff wrote about documents, appointments or claims', async () => {
  const testApp = await boot({ worker: false })
  const notices = noticeFixtures(testApp)
  await notices.loaded()
  const { email, contactId } = await notices.veteran()
  const ids = { asked: newId('a01'), bad: newId('a01'), visit: newId('a02'), claim: newId('a03') }
  const document = (id: string, row: object = {}) =>
    notices.document(contactId, id, {
      name: 'Planted-Document.pdf',
      type: 'Planted-Type',
      reason: 'Planted-Reason',
      statusReason: 'Planted-Status-Reason',
      dueDate: '2026-11-25',
      ...row,
    })
  const visit = (row: object = {}) =>
    notices.appointment(contactId, ids.visit, {
      date: '2026-11-25',
      clinicName: 'Planted-Clinic',
      clinicPhone: 'Planted-Clinic',
      ...row,
    })
  const claim = (stage: string) =>
    notices.claim(contactId, ids.claim, {
      title: 'Planted-Claim',
      stage,
      stageLabel: 'Planted-Stage',
      stageReason: 'Planted-Reason',
      nextStep: 'Planted-Next-Step',
    })
  await notices.store('contact', notices.contact(contactId, { street: 'Planted-Street' }))
  await notices.store('claim', claim('Planted-Stage'))
  await notices.store('document', document(ids.asked))
  const sent = { boxFileId: '1', portalDocumentId: 'x' }
  await notices.store('document', document(ids.bad, { ...sent, status: null }))
  await notices.store('appointment', visit())
  notices.later(10)
  await notices.sendDue()
  await notices.store('claim', claim('Planted-Stage-2'))
  await notices.store('document', document(ids.bad, { ...sent, status: 'notUsable' }))
  await notices.store('appointment', visit({ time: '10:00' }))
  await notices.store('contact', notices.contact(contactId, { caseManagerId: '005' }))
  const other = await notices.veteran({ created_at: TUESDAY }, { origin: 'portal' })
  for (let day = 0; day < 12; day += 1) {
    notices.later(24 * 60)
    await notices.remind()
    await notices.sendDue()
  }
  const next = { date: '2027-01-15' }
  await notices.store('appointment', visit(next))
  await notices.store('document', document(ids.bad, { ...sent, status: 'reviewed' }))
  notices.later(10)
  await notices.sendDue()
  await notices.store('appointment', visit({ ...next, scheduled: false }))
  notices.later(10)
  await notices.sendDue()
  const mailsOf = (to: string) => mailbox.mailsTo(to, { waitMs: 0 })
  const mails = [...(await mailsOf(email)), ...(await mailsOf(other.email))]
  const { rows } = await testApp.sql.query<{ event: NoticeEvent }>(
    'select distinct event from notices where sent_at is not null',
  )
  expect(rows.map(({ event }) => event).toSorted()).toEqual(events.toSorted())
  const found = mails.flatMap((mail) =>
    PLANTED.filter((word) => JSON.stringify(mail).toLowerCase().includes(word.toLowerCase())),
  )
  expect(found).toEqual([])
})
