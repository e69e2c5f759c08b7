import { requiredConsents } from '@guidon/contract/legal'
import { brand } from '../../ui/brand.ts'
import { ConsentStatement } from '../../ui/ConsentStatement.tsx'
import css from './TermsLabel.module.css'

/** All that a veteran of this state accepts with the sign-up. */
export function TermsLabel({ state }: { state: string }) {
  return requiredConsents(brand.legal, state).map((consent) => (
    <span key={consent.kind} className={css['box']}>
      <ConsentStatement {...consent} />
    </span>
  ))
}
