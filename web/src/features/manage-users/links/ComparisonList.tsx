import { withClass } from '../../../ui/with-class.ts'
import type { ComparisonProps } from './ComparisonTable.tsx'
import { SameMark } from './SameMark.tsx'
import css from './ComparisonList.module.css'

const Head = withClass('dl', css['head'])

const List = withClass('ul', css['list'])

/** An account and a contact beside each other, for narrow screens and dialogs. */
export function ComparisonList({ accountName, contactName, rows }: ComparisonProps) {
  return (
    <>
      <Head>
        <div>
          <dt>Account</dt>
          <dd>{accountName}</dd>
        </div>
        <div>
          <dt>Contact</dt>
          <dd>{contactName}</dd>
        </div>
      </Head>
      <List aria-label="Account and contact">
        {rows.map(({ name, account, contact, mark }) => (
          <li key={name} data-mark={mark}>
            <div>
              <strong>{name}</strong>
              <SameMark mark={mark} />
            </div>
            <dl>
              <dt>Account</dt>
              <dd>{account}</dd>
              <dt>Contact</dt>
              <dd data-part="contact">{contact}</dd>
            </dl>
          </li>
        ))}
      </List>
    </>
  )
}
