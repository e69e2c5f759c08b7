import { useMutation } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { DialogActions, DialogContent } from '../../ui/dialog-parts.tsx'
import { failureText } from '../../ui/failure-text.ts'
import { Notice } from '../../ui/Notice.tsx'
import { focusOnMount } from './DialogForm.ts'
import { DialogFrame } from './DialogFrame.tsx'
import css from './ConfirmDialog.module.css'

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
      <DialogContent className={css['dialogContent']}>
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
          {...(destructive && { className: css['destructive'], 'data-destructive': '' })}
        >
          {busy ? busyLabel : title}
        </BusyButton>
      </DialogActions>
    </DialogFrame>
  )
}
