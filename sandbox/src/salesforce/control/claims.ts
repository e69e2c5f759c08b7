import { html } from '../../html.ts'
import type { Html } from '../../html.ts'
import type { Org } from '../data/org.ts'
import { valueOf } from '../data/row.ts'
import type { Row } from '../data/row.ts'
import { detailsOf, form, input, select, textIn } from './forms.ts'

/** Forms to change the claims of a contact and to add one. */
export function claims(org: Org, contact: Row): Html {
  const rows = detailsOf(org, 'Claim__c', contact)
  return html`<h2>Claims</h2>
    ${rows.map((row) =>
      form(
        'change-claim',
        contact,
        'Save',
        html`<input type="hidden" name="claimId" value="${row.id}" /> ${claimFields(org, row)}
          ${select(`closed-${row.id}`, 'closed', 'Closed', ['no', 'yes'], valueOf(row, 'Closed__c') === true ? 'yes' : 'no')}`,
      ),
    )}
    <h3>Add a claim</h3>
    ${form('add-claim', contact, 'Add', claimFields(org, undefined))}`
}

function claimFields(org: Org, row: Row | undefined): Html {
  const id = row?.id ?? 'new'
  const value = (field: string) => (row === undefined ? '' : textIn(row, field))
  const since = row && valueOf(row, 'Stage_Since__c')
  const sinceText = since ? new Date(Number(since)).toISOString().slice(0, 16) : ''
  return html`${input(`title-${id}`, 'title', 'Title', value('Name'))}
  ${select(`stage-${id}`, 'stage', 'Stage', stages(org), value('Stage__c'))}
  ${input(`since-${id}`, 'since', 'Since (UTC)', sinceText, 'datetime-local')}
  ${input(`stage-reason-${id}`, 'reason', 'Why it is in this stage', value('Stage_Reason__c'))}
  ${input(`next-${id}`, 'nextStep', 'Next step', value('Next_Step__c'))}`
}

function stages(org: Org): string[] {
  const object = org.schema.object('Claim__c')
  const field = object && org.schema.field(object, 'Stage__c')
  return (field?.picklist ?? []).map(({ value }) => value)
}
