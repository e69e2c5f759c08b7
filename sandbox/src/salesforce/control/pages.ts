import { html } from '../../html.ts'
import type { Html } from '../../html.ts'
import { sandboxPage } from '../../sandbox-page.ts'
import type { Org } from '../data/org.ts'
import type { Row } from '../data/row.ts'
import { claims } from './claims.ts'
import { documents } from './documents.ts'
import { detailsOf, form, input, select, table, textIn } from './forms.ts'
import { intakes } from './intakes.ts'

const LABEL = 'Sandbox Salesforce — development and tests only'
const MAX_SHOWN = 50

export function contactsPage(org: Org, query: string): string {
  const contacts = search(org, query.toLowerCase())
  const count = contacts.length === 1 ? '1 contact' : `${contacts.length} contacts`
  return page(
    'Contacts',
    html`<form role="search">
        <div>
          <label for="q">Name or email</label>
          <input id="q" name="q" type="search" value="${query}" autocomplete="off" />
        </div>
        <button>Show</button>
      </form>
      <p role="status">
        ${contacts.length === MAX_SHOWN ? `The first ${MAX_SHOWN} contacts` : count}
      </p>
      ${contacts.length === 0 ? html`` : contactTable(contacts)}`,
  )
}

function search(org: Org, query: string): Row[] {
  const found: Row[] = []
  for (const row of org.table('Contact')!.all()) {
    const searched = `${textIn(row, 'Name')} ${textIn(row, 'Email')}`.toLowerCase()
    if (row.deleted || !searched.includes(query)) continue
    found.push(row)
    if (found.length === MAX_SHOWN) break
  }
  return found
}

function contactTable(contacts: readonly Row[]): Html {
  return table(
    ['Name', 'Email', 'Phone'],
    contacts.map((row) => [
      html`<a href="/contacts/${row.id}">${textIn(row, 'Name')}</a>`,
      html`${textIn(row, 'Email')}`,
      html`${textIn(row, 'Phone')}`,
    ]),
  )
}

export function contactPage(org: Org, contact: Row, error = ''): string {
  return page(
    textIn(contact, 'Name'),
    html`<p><a href="/">All contacts</a></p>
      ${error === '' ? html`` : html`<p role="alert">${error}</p>`} ${caseManager(org, contact)}
      ${claims(org, contact)} ${appointments(org, contact)} ${documents(org, contact)}
      ${intakes(org, contact)} ${contactForms(contact)}`,
  )
}

function caseManager(org: Org, contact: Row): Html {
  const chosen = textIn(contact, 'Case_Manager__c')
  const options = [...org.table('User')!.all()].map((user) =>
    user.id === chosen
      ? html`<option value="${user.id}" selected>${textIn(user, 'Name')}</option>`
      : html`<option value="${user.id}">${textIn(user, 'Name')}</option>`,
  )
  return html`<h2>Case manager</h2>
    ${form(
      'assign-case-manager',
      contact,
      'Assign',
      html`<div>
        <label for="userId">Case manager</label>
        <select id="userId" name="userId">
          <option value="">None</option>
          ${options}
        </select>
      </div>`,
    )}`
}

function appointments(org: Org, contact: Row): Html {
  const rows = detailsOf(org, 'Appointment__c', contact)
  return html`<h2>Appointments</h2>
    ${rows.map((row) =>
      form(
        'change-appointment',
        contact,
        'Save',
        html`<input type="hidden" name="appointmentId" value="${row.id}" />
          ${appointmentFields(row)}
          ${select(
            `status-${row.id}`,
            'status',
            'Status',
            ['Scheduled', 'Completed', 'Canceled'],
            textIn(row, 'Status__c'),
          )}`,
      ),
    )}
    <h3>Add an appointment</h3>
    ${form('add-appointment', contact, 'Add', appointmentFields(undefined))}`
}

function appointmentFields(row: Row | undefined): Html {
  const id = row?.id ?? 'new'
  const value = (field: string) => (row === undefined ? '' : textIn(row, field))
  return html`${input(`date-${id}`, 'date', 'Date', value('Appointment_Date__c'), 'date')}
  ${input(`time-${id}`, 'time', 'Time', value('Appointment_Time__c').slice(0, 5), 'time')}
  ${input(`clinic-${id}`, 'clinicName', 'Clinic', value('Clinic_Name__c'))}
  ${input(`phone-${id}`, 'clinicPhone', 'Clinic phone', value('Clinic_Phone__c'), 'tel')}`
}

const EDITABLE: [string, string][] = [
  ['FirstName', 'First name'],
  ['LastName', 'Last name'],
  ['Email', 'Email'],
  ['Phone', 'Phone'],
  ['MailingStreet', 'Street'],
  ['MailingCity', 'City'],
  ['MailingState', 'State'],
  ['MailingPostalCode', 'ZIP code'],
]

function contactForms(contact: Row): Html {
  const fields = EDITABLE.map(([name, label]) => input(name, name, label, textIn(contact, name)))
  return html`<h2>Details</h2>
    ${form('edit-contact', contact, 'Save', html`${fields}`)}
    <h2>Merge</h2>
    <p>The other contact is deleted. What belongs to it then belongs to this contact.</p>
    ${form(
      'merge-contacts',
      contact,
      'Merge into this contact',
      input('loserId', 'loserId', 'ID of the other contact', ''),
    )}
    <p>ID of this contact: ${contact.id}</p>
    <h2>Delete</h2>
    ${form(
      'delete-row',
      contact,
      'Delete this contact',
      html`<input type="hidden" name="id" value="${contact.id}" />`,
    )}`
}

export function notFoundPage(): string {
  return page('Not found', html`<p>There is no such page. <a href="/">All contacts</a></p>`)
}

const page = (title: string, body: Html) => sandboxPage({ label: LABEL, title, body })
