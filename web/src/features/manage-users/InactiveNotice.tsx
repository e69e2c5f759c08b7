import type { Role } from '@guidon/contract/account'
import Button from '@mui/material/Button'
import { Notice } from '../../ui/Notice.tsx'

/** Says that the account is inactive; only administrators can change that. */
export function InactiveNotice({ role, onReactivate }: { role: Role; onReactivate: () => void }) {
  return (
    <Notice kind="info">
      <p>
        This account is inactive. Nobody can sign in to it.
        {role !== 'ADMIN' && ' Ask an admin to make it active again.'}
      </p>
      {role === 'ADMIN' && (
        <Button variant="outlined" onClick={onReactivate} sx={{ mt: 1.5 }}>
          Make active again
        </Button>
      )}
    </Notice>
  )
}
