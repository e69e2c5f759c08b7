import {
  RESET_DIALOG_CLOSES_SECONDS,
  USER_PASSWORD_RESET,
  type ManagedUser,
} from '@guidon/contract/manage-users'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { DialogActions, DialogContent } from '../../ui/dialog-parts.tsx'
import { NewPasswordField } from '../../ui/NewPasswordField.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { useTimeout } from '../../ui/use-timeout.ts'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { DialogForm, focusOnMount } from './DialogForm.ts'
import { DialogFrame } from './DialogFrame.tsx'
import { SuggestedPassword } from './SuggestedPassword.tsx'
import { useResetUserPassword } from './use-reset-user-password.ts'
import { fullName } from './user-texts.ts'
import css from './ResetPasswordDialog.module.css'

interface Props {
  user: ManagedUser
  onClose: () => void
  onMessage: (text: string) => void
}

export function ResetPasswordDialog({ user, onClose, onMessage }: Props) {
  const form = useResetUserPassword(user)
  const { register, submit, errors, newPassword, suggested, busy, done, failure } = form

  function finish(): void {
    onClose()
    onMessage(USER_PASSWORD_RESET)
  }
  useTimeout(RESET_DIALOG_CLOSES_SECONDS, done, finish)

  return (
    <DialogFrame title="Reset Password" open onClose={done ? finish : onClose} busy={busy}>
      <DialogForm noValidate onSubmit={(event) => void submit(event)}>
        <DialogContent>
          {!done && (
            <>
              <Typography className={css['text']}>
                Set a temporary password for <strong>{fullName(user)}</strong>. They will be signed
                out everywhere, and must choose another password when they sign in with it.
              </Typography>
              <Typography variant="body2" color="textSecondary">
                Use uppercase, lowercase and numbers or symbols.
              </Typography>
              <div>
                <Button variant="outlined" onClick={busy ? undefined : form.suggest}>
                  Suggest one
                </Button>
              </div>
              {suggested && <SuggestedPassword password={suggested} />}
              <VisuallyHidden as="output">
                {suggested && 'A password is filled in. You can copy it.'}
              </VisuallyHidden>
              {/* Tells a password manager which account the password belongs to. */}
              <input hidden readOnly autoComplete="username" value={user.email} />
              <NewPasswordField
                label="New password"
                nameInButton="new password"
                text={newPassword}
                person={user}
                rulesHeading="The password needs:"
                error={errors.newPassword}
                {...register('newPassword', { deps: ['confirmPassword'] })}
              />
              <PasswordField
                label="Confirm password"
                nameInButton="confirmed password"
                autoComplete="new-password"
                error={errors.confirmPassword?.message}
                {...register('confirmPassword')}
              />
            </>
          )}
          <Notice kind="error">{failure}</Notice>
          <Notice kind="success">{done && USER_PASSWORD_RESET}</Notice>
        </DialogContent>
        <DialogActions>
          {done ? (
            <Button ref={focusOnMount} variant="outlined" onClick={finish}>
              Close
            </Button>
          ) : (
            <>
              <Button variant="outlined" aria-disabled={busy} onClick={busy ? undefined : onClose}>
                Cancel
              </Button>
              <BusyButton type="submit" busy={busy}>
                {busy ? 'Resetting…' : 'Reset Password'}
              </BusyButton>
            </>
          )}
        </DialogActions>
      </DialogForm>
    </DialogFrame>
  )
}
