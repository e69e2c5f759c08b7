import { resetPasswordForm } from '@guidon/contract/password'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import type * as z from 'zod/mini'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { FormStack } from '../../ui/FormStack.ts'
import { NewPasswordField } from '../../ui/NewPasswordField.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { failureText } from './failure-text.ts'
import { useFieldFailures } from './use-field-failures.ts'
import type { useResetPassword } from './use-reset-password.ts'
import css from './ResetPasswordForm.module.css'

type Values = z.infer<typeof resetPasswordForm>

const FIELDS = ['newPassword', 'confirmPassword'] as const

interface Props extends ReturnType<typeof useResetPassword> {
  token: string
}

/** Only the server knows the owner of the link, so only it checks that the password does not contain the name. */
export function ResetPasswordForm({ token, reset, busy, failure }: Props) {
  const { register, handleSubmit, setError, control, formState } = useForm<Values>({
    resolver: zodResolver(resetPasswordForm),
    defaultValues: { token, newPassword: '', confirmPassword: '' },
  })
  const { errors } = formState
  const newPassword = useWatch({ control, name: 'newPassword' })
  useFieldFailures(failure, FIELDS, setError)

  return (
    <>
      <PageHeading
        title="Reset Password"
        failed={failure !== null || Object.keys(errors).length > 0}
      >
        Reset Password
      </PageHeading>
      <Typography color="textSecondary" className={css['text']}>
        Choose a new password. You will be signed out on every device.
      </Typography>
      <FormStack
        noValidate
        onSubmit={(event) => void handleSubmit((values) => reset(values))(event)}
      >
        <NewPasswordField
          label="New password"
          nameInButton="new password"
          text={newPassword}
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
        <Notice kind="error">{failureText(failure)}</Notice>
        <BusyButton type="submit" busy={busy} fullWidth>
          Reset Password
        </BusyButton>
      </FormStack>
    </>
  )
}
