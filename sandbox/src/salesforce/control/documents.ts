import { html } from '../../html.ts'
import type { Html } from '../../html.ts'
import type { Org } from '../data/org.ts'
import { valueOf } from '../data/row.ts'
import type { Row } from '../data/row.ts'
import { detailsOf, form, input, select, table, textIn } from './forms.ts'

const STATUSES = ['', 'Requested', 'Received', 'Reviewed', 'Not usable']

export function documents(org: Org, contact: Row): Html {
  const rows = detailsOf(org, 'Document_Request__c', contact)
  return html`<h2>Documents</h2>
    ${
      rows.length === 0
        ? html`<p>None requested.</p>`
        : table(
            ['Name', 'Type', 'Box file', 'Note', 'Request and status', 'Action'],
            rows.map((row) => [
              html`${textIn(row, 'Name')}`,
              html`${textIn(row, 'Document_Type__c')}`,
              html`${textIn(row, 'Box_File_Id__c')}`,
              html`${textIn(row, 'Note__c')}`,
              statusForm(contact, row),
              form(
                'delete-row',
                contact,
                'Delete',
                html`<input type="hidden" name="id" value="${row.id}" />`,
              ),
            ]),
          )
    }
    <h3>Request a document</h3>
    ${form(
      'request-document',
      contact,
      'Request',
      html`${input('document-name', 'name', 'Name', '')}
      ${select('type', 'type', 'Type', [...categories(org), 'Other'], '')}
      ${requestFields(undefined)}`,
    )}`
}

function categories(org: Org): string[] {
  return [...org.table('Document_Category__mdt')!.all()]
    .toSorted((a, b) => Number(valueOf(a, 'Sort__c')) - Number(valueOf(b, 'Sort__c')))
    .map((row) => textIn(row, 'MasterLabel'))
}

function requestFields(row: Row | undefined): Html {
  const id = row?.id ?? 'new'
  const value = (field: string) => (row === undefined ? '' : textIn(row, field))
  return html`${input(`due-${id}`, 'dueDate', 'Due', value('Due_Date__c'), 'date')}
  ${input(`reason-${id}`, 'reason', 'Why it is needed', value('Reason__c'))}`
}

function statusForm(contact: Row, row: Row): Html {
  return form(
    'change-document',
    contact,
    'Save',
    html`<input type="hidden" name="documentId" value="${row.id}" /> ${requestFields(row)}
      ${select(`document-status-${row.id}`, 'status', 'Status', STATUSES, textIn(row, 'Status__c'))}
      ${input(`status-reason-${row.id}`, 'statusReason', 'Reason of the status', textIn(row, 'Status_Reason__c'))}`,
  )
}
