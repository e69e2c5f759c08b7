import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useMutation } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { failureText } from '../../ui/failure-text.ts'
import { Notice } from '../../ui/Notice.tsx'
import { focusOnMount } from './DialogForm.ts'
import { DialogFrame } from './DialogFrame.tsx'

interface Props {
  /** Also the label of the button that confirms. */
  title: string
  busyLabel: string
  /** Red, for an action that staff may take but only an administrator can undo. */
  destructive?: boolean
  action: () => Promise<unknown>
  onClose: () => void
  onDone: () => void
  /** What will happen. */
  children: ReactNode
}

/** Asks before it acts. The focus starts on Cancel. */
export function ConfirmDialog({ title, busyLabel, destructive, action, children, ...on }: Props) {
  const id = useId()
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: action,
    onSuccess: on.onDone,
  })
  const busy = isPending || isSuccess

  return (
    <DialogFrame title={title} open describedBy={id} onClose={on.onClose} busy={busy}>
      <DialogContent sx={{ py: 1, overflowWrap: 'anywhere', '& > [role]:not(:empty)': { mt: 2 } }}>
        <p id={id}>{children}</p>
        <Notice kind="error">{failureText(error)}</Notice>
      </DialogContent>
      <DialogActions>
        <Button
          ref={focusOnMount}
          variant="outlined"
          aria-disabled={busy}
          onClick={busy ? undefined : on.onClose}
        >
          Cancel
        </Button>
        <BusyButton
          busy={busy}
          onClick={() => mutate()}
          {...(destructive && { sx: DESTRUCTIVE, 'data-destructive': '' })}
        >
          {busy ? busyLabel : title}
        </BusyButton>
      </DialogActions>
    </DialogFrame>
  )
}

/** White on dark red in light mode, dark on light red in dark mode. */
const DESTRUCTIVE = {
  '&&, &&:hover, &&:active': {
    color: 'background.paper',
    bgcolor: 'error.main',
    borderColor: 'error.main',
  },
  '&&:hover': { boxShadow: 3, filter: 'brightness(0.92)' },
} as const
