import type { ReactNode } from 'react'
import { VisuallyHidden } from '../../../ui/VisuallyHidden.ts'
import { withClass } from '../../../ui/with-class.ts'
import type { ComparedRow } from './compared-rows.tsx'
import { SameMark } from './SameMark.tsx'
import css from './ComparisonTable.module.css'

const Grid = withClass('table', css['grid'])

export interface ComparisonProps {
  accountName: string
  contactName: ReactNode
  rows: readonly ComparedRow[]
}

/** An account and a contact beside each other, for wide screens. */
export function ComparisonTable({ accountName, contactName, rows }: ComparisonProps) {
  return (
    <Grid aria-label="Account and contact">
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>Compared</VisuallyHidden>
          </th>
          <th scope="col">
            <small>Account in the portal</small> {accountName}
          </th>
          <th scope="col">
            <small>Contact in Salesforce</small> {contactName}
          </th>
          <th scope="col">
            <VisuallyHidden>Result</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, account, contact, mark }) => (
          <tr key={name} data-mark={mark}>
            <th scope="row">{name}</th>
            <td>{account}</td>
            <td data-part="contact">{contact}</td>
            <td>
              <SameMark mark={mark} />
            </td>
          </tr>
        ))}
      </tbody>
    </Grid>
  )
}
