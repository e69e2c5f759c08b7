import { describe, expect, it } from 'vitest'
import { defaultMapping } from './default-mapping.ts'
import { readers } from './rows.ts'

const { contact, appointment, document, claim, documentCategory } = readers(
  defaultMapping,
  new Map([['Intake', 'First talk']]),
)
const common = { Id: '0035g000000000AAAQ', SystemModstamp: '2026-11-15T12:00:00.000+0000' }
const ofVeteran = { ...common, Veteran__c: '0035g000000000BAAQ' }

describe('a row from the CRM', () => {
  it('is read without characters that a text column cannot hold', () => {
    const row = contact.row({ ...common, LastName: 'Al\u0000varez\ud800', MailingCity: '\u0000' })
    expect(row).toMatchObject({ lastName: 'Alvarez\ufffd', city: null })
  })

  it.each(['x', 'ü', '\u20ac', '\u{1f600}'])(
    'has no text that is too long for an index (%s)',
    (character) => {
      const email = contact.row({ ...common, Email: character.repeat(70_000) }).email!
      expect(Buffer.byteLength(email)).toBeLessThan(2_700)
      expect(email.isWellFormed()).toBe(true)
    },
  )

  it.each([
    ['2030-02-31', '09:00:00.000Z'],
    ['0000-01-01', '09:00:00.000Z'],
    ['tomorrow', '09:00:00.000Z'],
    ['2030-02-28', '25:00:00.000Z'],
    ['2030-02-28', 'noon'],
  ])('is not an appointment on %s at %s', (date, time) => {
    const record = { ...ofVeteran, Appointment_Date__c: date, Appointment_Time__c: time }
    expect(appointment.row(record)).toMatchObject({ deleted: true })
  })

  it('is an appointment on a leap day', () => {
    const record = {
      ...ofVeteran,
      Appointment_Date__c: '2028-02-29',
      Appointment_Time__c: '16:30:00.000Z',
    }
    expect(appointment.row(record)).toMatchObject({
      deleted: false,
      date: '2028-02-29',
      time: '16:30',
    })
  })

  it.each(['yesterday', '+275760-09-13T00:00:00Z'])('has no upload time for %s', (moment) => {
    const row = document.row({ ...ofVeteran, Name: 'Letter', Last_Uploaded_At__c: moment })
    expect(row).toMatchObject({ name: 'Letter', lastUploadedAt: null })
  })

  it.each(['2030-02-31', '0000-01-01', '2030-02-28T00:00:00.000+0000', 7, ' '])(
    'is a document without a due date for %s',
    (date) => {
      expect(document.row({ ...ofVeteran, Due_Date__c: date })).toMatchObject({ dueDate: null })
    },
  )

  it('is a document with the meaning of its status, and none for a value that the mapping lacks', () => {
    const statusOf = (value: unknown) => document.row({ ...ofVeteran, Status__c: value }).status
    expect(['Requested', 'Received', 'Reviewed', 'Not usable'].map(statusOf)).toEqual([
      'requested',
      'received',
      'reviewed',
      'notUsable',
    ])
    expect(['not usable', 'Lost', '', null, 7].map(statusOf)).toEqual(Array(5).fill(null))
  })

  it('is a claim with the label of its stage, and the value if there is no label', () => {
    const row = claim.row({ ...ofVeteran, Stage__c: 'Intake', Closed__c: true })
    expect(row).toMatchObject({ stage: 'Intake', stageLabel: 'First talk', closed: true })
    expect(claim.row({ ...ofVeteran, Stage__c: 'Appeal' })).toMatchObject({
      stage: 'Appeal',
      stageLabel: 'Appeal',
      deleted: false,
      title: null,
      stageSince: null,
      closed: false,
    })
  })

  it('is not a claim without a contact or a stage', () => {
    expect(claim.row({ ...common, Stage__c: 'Intake' }).deleted).toBe(true)
    expect(claim.row({ ...ofVeteran, Stage__c: '\u0000' }).deleted).toBe(true)
  })

  it('is a claim whose texts and time can be stored, whatever staff wrote', () => {
    const long = '\u20ac\u0000'.repeat(64_000)
    const row = claim.row({
      ...ofVeteran,
      Name: long,
      Stage__c: long,
      Stage_Since__c: '+275760-09-13T00:00:00Z',
      Stage_Reason__c: long,
      Next_Step__c: long,
      Closed__c: 'yes',
    })
    for (const text of [row.title, row.stage, row.stageLabel, row.stageReason, row.nextStep]) {
      expect(text).toBe('\u20ac'.repeat(600))
    }
    expect(row).toMatchObject({ stageSince: null, closed: false, deleted: false })
  })

  it.each([
    [1.5, 1],
    ['x', 0],
    [1e12, 2_147_483_647],
    [-1e12, -2_147_483_648],
  ])('has a whole number as its sort order: %s', (value, sort) => {
    const { fields } = defaultMapping.documentCategory
    expect(documentCategory.row({ ...common, [fields.sort]: value }).sort).toBe(sort)
  })
})
