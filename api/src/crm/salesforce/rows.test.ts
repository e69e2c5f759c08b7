import { describe, expect, it } from 'vitest'
import { defaultMapping } from './default-mapping.ts'
import { readers } from './rows.ts'

const { contact, appointment, document, documentCategory } = readers(defaultMapping)
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
