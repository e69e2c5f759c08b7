import { reactivateUser, type ManagedUser } from '@guidon/contract/manage-users'
import { call } from '../../api/call.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { useUpdateCachedUser } from './user-queries.ts'
import { USER_REACTIVATED, fullName } from './user-texts.ts'

interface Props {
  user: ManagedUser
  onClose: () => void
  onReactivated: (text: string) => void
}

export function ReactivateUserDialog({ user, onClose, onReactivated }: Props) {
  const updateCache = useUpdateCachedUser()
  return (
    <ConfirmDialog
      title="Make active again"
      busyLabel="Making active…"
      action={async () => updateCache(await call(reactivateUser, { params: { id: user.id } }))}
      onClose={onClose}
      onDone={() => onReactivated(USER_REACTIVATED)}
    >
      <strong>{fullName(user)}</strong> ({user.email}) can sign in again with the same password. We
      will send an email about it.
    </ConfirmDialog>
  )
}
