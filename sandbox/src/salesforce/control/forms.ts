import { html } from '../../html.ts'
import type { Html } from '../../html.ts'
import type { Org } from '../data/org.ts'
import { valueOf } from '../data/row.ts'
import type { Row } from '../data/row.ts'

export const textIn = (row: Row, field: string) => String(valueOf(row, field) ?? '')

/** The rows of an object that belong to the contact. */
export function detailsOf(org: Org, object: string, contact: Row): Row[] {
  const rows = org.table(object)?.find('Veteran__c', contact.id) ?? []
  return rows.filter(({ deleted }) => !deleted)
}

export function form(action: string, contact: Row, button: string, fields: Html): Html {
  return html`<form method="post" action="/staff/${action}">
    <input type="hidden" name="contactId" value="${contact.id}" />
    ${fields}
    <button>${button}</button>
  </form>`
}

export function input(id: string, name: string, label: string, value: string, type = 'text'): Html {
  return html`<div>
    <label for="${id}">${label}</label>
    <input id="${id}" name="${name}" type="${type}" value="${value}" autocomplete="off" />
  </div>`
}

export function select(
  id: string,
  name: string,
  label: string,
  values: readonly string[],
  chosen: string,
): Html {
  return html`<div>
    <label for="${id}">${label}</label>
    <select id="${id}" name="${name}">
      ${values.map((value) =>
        value === chosen
          ? html`<option selected>${value}</option>`
          : html`<option>${value}</option>`,
      )}
    </select>
  </div>`
}

export function table(heads: string[], rows: Html[][]): Html {
  return html`<table>
    <thead>
      <tr>
        ${heads.map((head) => html`<th scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
}
