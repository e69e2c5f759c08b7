import { html } from '../../html.ts'
import type { Html } from '../../html.ts'
import type { Org } from '../data/org.ts'
import type { Row } from '../data/row.ts'
import { detailsOf, table, textIn } from './forms.ts'

/** What the veteran answered. A question without an answer has an empty field. */
export function intakes(org: Org, contact: Row): Html {
  const fields = org.schema.object('Intake__c')?.fields ?? []
  const questions = fields.filter(
    ({ name, type, externalId }) =>
      name.endsWith('__c') && type !== 'reference' && type !== 'datetime' && !externalId,
  )
  return html`<h2>Intake</h2>
    ${detailsOf(org, 'Intake__c', contact).map((row) =>
      table(
        ['Question', 'Answer'],
        questions.map(({ name, label }) => [html`${label}`, html`${textIn(row, name)}`]),
      ),
    )}`
}
