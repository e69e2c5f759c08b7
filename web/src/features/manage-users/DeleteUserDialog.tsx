import { deactivateUser, type ManagedUser } from '@guidon/contract/manage-users'
import { call } from '../../api/call.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { useUpdateCachedUser } from './user-queries.ts'
import { USER_DELETED, fullName } from './user-texts.ts'

interface Props {
  user: ManagedUser
  onClose: () => void
  onDeleted: (text: string) => void
}

export function DeleteUserDialog({ user, onClose, onDeleted }: Props) {
  const updateCache = useUpdateCachedUser()
  return (
    <ConfirmDialog
      title="Delete User"
      busyLabel="Deleting…"
      destructive
      action={() => call(deactivateUser, { params: { id: user.id } })}
      onClose={onClose}
      onDone={() => {
        updateCache({ ...user, isActive: false })
        onDeleted(USER_DELETED)
      }}
    >
      <strong>{fullName(user)}</strong> ({user.email}) will be signed out everywhere and can no
      longer sign in. Nothing that is on file is removed.
    </ConfirmDialog>
  )
}
