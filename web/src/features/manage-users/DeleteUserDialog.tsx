import { deactivateUser, type ManagedUser } from '@guidon/contract/manage-users'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { call } from '../../api/call.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { focusOnMount } from './DialogForm.ts'
import { DialogFrame } from './DialogFrame.tsx'
import { useUserChange } from './user-queries.ts'
import { USER_DELETED, fullName } from './user-texts.ts'

interface Props {
  user: ManagedUser
  onClose: () => void
  onDeleted: (text: string) => void
}

export function DeleteUserDialog({ user, onClose, onDeleted }: Props) {
  const id = useId()
  const show = useUserChange()
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => call(deactivateUser, { params: { id: user.id } }),
    onSuccess: () => {
      show({ ...user, isActive: false })
      onDeleted(USER_DELETED)
    },
  })
  const busy = isPending || isSuccess

  return (
    <DialogFrame title="Delete User" open describedBy={id} onClose={onClose} busy={busy}>
      <DialogContent sx={{ py: 1, overflowWrap: 'anywhere', '& > [role]:not(:empty)': { mt: 2 } }}>
        <p id={id}>
          <strong>{fullName(user)}</strong> ({user.email}) will be signed out everywhere and can no
          longer sign in. Nothing that is on file is removed.
        </p>
        <Notice kind="error">{error?.message}</Notice>
      </DialogContent>
      <DialogActions>
        <Button
          ref={focusOnMount}
          variant="outlined"
          aria-disabled={busy}
          onClick={busy ? undefined : onClose}
        >
          Cancel
        </Button>
        <BusyButton busy={busy} onClick={() => mutate()}>
          {busy ? 'Deleting…' : 'Delete User'}
        </BusyButton>
      </DialogActions>
    </DialogFrame>
  )
}
