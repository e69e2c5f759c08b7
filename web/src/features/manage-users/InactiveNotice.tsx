import type { Role } from '@guidon/contract/account'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import css from './InactiveNotice.module.css'

/** Says that the account is inactive; only administrators can change that. */
export function InactiveNotice({ role, onReactivate }: { role: Role; onReactivate: () => void }) {
  return (
    <Notice kind="info">
      <p>
        This account is inactive. Nobody can sign in to it.
        {role !== 'ADMIN' && ' Ask an admin to make it active again.'}
      </p>
      {role === 'ADMIN' && (
        <Button variant="outlined" onClick={onReactivate} className={css['button']}>
          Make active again
        </Button>
      )}
    </Notice>
  )
}
