import { maskEmail } from '@guidon/contract/account'
import { login, noChallenge, signInAgain, signInForm, verifyLogin } from '@guidon/contract/auth'
import type { BodyIn, ResponseOut } from '@guidon/contract/endpoint'
import { screens } from '@guidon/contract/screens'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import type { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { useSignedInUser } from '../../api/current-user.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { DialogActions, DialogContent, DialogTitle } from '../../ui/dialog-parts.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { CodeEntry, useCodeEntry } from './CodeEntry.tsx'
import { failureText } from './failure-text.ts'
import { clearPending } from './pending-verification.ts'
import { ResendCode } from './ResendCode.tsx'
import { useFieldFailures } from './use-field-failures.ts'
import css from './SignInAgainDialog.module.css'

const Content = withClass(DialogContent, css['content'])

interface Props {
  onClose: () => void
  onSignedIn: () => void
}

/** `again`: the code came too late, and the server has forgotten the password. */
type Step =
  | { at: 'password'; again?: CallFailure }
  | { at: 'code' }
  | { at: 'newPassword'; resetToken: string }

/** Signs the same user in again, without leaving the screen, before something that needs a recent sign-in. */
export function SignInAgainDialog({ onClose, onSignedIn }: Props) {
  const id = useId()
  const { email } = useSignedInUser()
  const [step, setStep] = useState<Step>({ at: 'password' })
  const cancel = (
    <Button variant="outlined" onClick={onClose}>
      Cancel
    </Button>
  )
  return (
    <Dialog
      open
      onClose={onClose}
      aria-labelledby={id}
      fullWidth
      maxWidth="xs"
      className={css['dialog']}
    >
      <DialogTitle id={id}>Sign in again</DialogTitle>
      {step.at === 'password' && (
        <PasswordForm
          email={email}
          earlier={step.again}
          cancel={cancel}
          onSent={() => setStep({ at: 'code' })}
        />
      )}
      {step.at === 'code' && (
        <CodeForm
          email={email}
          cancel={cancel}
          onTooLate={(again) => setStep({ at: 'password', again })}
          onVerified={({ resetToken }) => {
            if (resetToken === undefined) onSignedIn()
            else setStep({ at: 'newPassword', resetToken })
          }}
        />
      )}
      {step.at === 'newPassword' && <NewPassword {...step} cancel={cancel} />}
    </Dialog>
  )
}

const FIELDS = ['password'] as const

interface PasswordFormProps {
  email: string
  earlier: CallFailure | undefined
  cancel: ReactNode
  onSent: () => void
}

function PasswordForm({ email, earlier, cancel, onSent }: PasswordFormProps) {
  const { mutate, isPending, error } = useMutation<undefined, CallFailure, BodyIn<typeof login>>({
    mutationFn: (body) => call(login, { body }),
  })
  const { register, handleSubmit, setError, setFocus, formState } = useForm({
    resolver: zodResolver(signInForm),
    defaultValues: { email, password: '' },
  })
  useFieldFailures(error, FIELDS, setError)
  useEffect(() => setFocus('password'), [setFocus])

  function send(body: BodyIn<typeof login>): void {
    // Not an option of the mutation, which would also run after Cancel.
    mutate(body, {
      onSuccess: () => {
        clearPending()
        onSent()
      },
    })
  }
  return (
    <form noValidate onSubmit={(event) => void handleSubmit(send)(event)}>
      <Content>
        <Typography>{signInAgain.message}</Typography>
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          readOnly
          className={css['email']}
          {...register('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          error={formState.errors.password?.message}
          {...register('password')}
        />
        <Notice kind="error">{failureText(error ?? earlier ?? null)}</Notice>
      </Content>
      <DialogActions>
        {cancel}
        <BusyButton type="submit" busy={isPending}>
          Continue
        </BusyButton>
      </DialogActions>
    </form>
  )
}

type Verified = ResponseOut<typeof verifyLogin>

interface CodeFormProps {
  email: string
  cancel: ReactNode
  onTooLate: (failure: CallFailure) => void
  onVerified: (response: Verified) => void
}

function CodeForm({ email, cancel, onTooLate, onVerified }: CodeFormProps) {
  const sentId = useId()
  const { mutate, isPending, error } = useMutation<Verified, CallFailure, string>({
    mutationFn: (code) => call(verifyLogin, { body: { email, code } }),
  })
  const { submit, ...entry } = useCodeEntry(error, (code) =>
    mutate(code, {
      onSuccess: (response) => {
        clearPending()
        onVerified(response)
      },
      onError: (failure) => {
        if (failure.code === noChallenge.code) onTooLate(failure)
      },
    }),
  )
  return (
    <form noValidate onSubmit={submit}>
      <Content>
        <Typography id={sentId}>
          We sent a six-digit code to <strong>{maskEmail(email)}</strong>. It can take a minute to
          arrive.
        </Typography>
        <CodeEntry {...entry} describedBy={sentId} />
        <Notice kind="error">{failureText(error)}</Notice>
        <div>
          <ResendCode pending={{ email, type: 'signin' }} />
        </div>
      </Content>
      <DialogActions>
        {cancel}
        <BusyButton type="submit" busy={isPending}>
          Confirm
        </BusyButton>
      </DialogActions>
    </form>
  )
}

const focusOnMount = (link: HTMLAnchorElement | null) => link?.focus()

/** After a temporary password, which opens no session. */
function NewPassword({ resetToken, cancel }: { resetToken: string; cancel: ReactNode }) {
  return (
    <>
      <Content>
        <Typography role="alert">
          Your password is a temporary one. You must set a new password first, and then come back.
          Nothing is saved yet.
        </Typography>
      </Content>
      <DialogActions>
        {cancel}
        <Button
          component={Link}
          ref={focusOnMount}
          to={`${screens.resetPassword}?token=${encodeURIComponent(resetToken)}`}
        >
          Set a new password
        </Button>
      </DialogActions>
    </>
  )
}
