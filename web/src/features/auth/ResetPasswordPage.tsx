import { FIX_PASSWORD_BELOW, resetLinkVoid, resetPasswordForm } from '@guidon/contract/password'
import { screens } from '@guidon/contract/screens'
import { zodResolver } from '@hookform/resolvers/zod'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useRef } from 'react'
import { useForm, useWatch, type FieldErrors } from 'react-hook-form'
import type * as z from 'zod/mini'
import { AuthLayout } from '../../ui/AuthLayout.tsx'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { FormStack } from '../../ui/FormStack.ts'
import { NewPasswordField } from '../../ui/NewPasswordField.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { withStrength } from '../../ui/strength-resolver.ts'
import { UNKNOWN_PERSON } from '../../ui/strength.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import { useFieldFailures } from './use-field-failures.ts'
import { useResetPassword } from './use-reset-password.ts'
import { useResetToken } from './use-reset-token.ts'

type Values = z.infer<typeof resetPasswordForm>

const FIELDS = ['newPassword', 'confirmPassword'] as const

const resolver = withStrength<Values, Values>(zodResolver(resetPasswordForm), {
  field: 'newPassword',
  message: FIX_PASSWORD_BELOW,
  password: ({ newPassword }) => newPassword,
  // Only the server knows the owner of the link; it checks the name.
  person: () => UNKNOWN_PERSON,
})

function NewLink() {
  return <TextLink to={screens.forgotPassword}>Request a new link</TextLink>
}

export function ResetPasswordPage() {
  const token = useResetToken()
  const { reset, busy, failure } = useResetPassword()
  const { register, handleSubmit, setError, control, formState } = useForm<Values, unknown, Values>(
    {
      resolver,
      defaultValues: { token, newPassword: '', confirmPassword: '' },
    },
  )
  const { errors, isSubmitting } = formState
  const newPassword = useWatch({ control, name: 'newPassword' })
  const notice = useRef<HTMLDivElement>(null)
  useFieldFailures(failure, FIELDS, setError)

  const tokenProblem = resetPasswordForm.shape.token.safeParse(token).error?.issues[0]?.message

  /** If both fields are valid, the token is not, and the notice explains that. */
  function explain(found: FieldErrors<Values>): void {
    if (!found.newPassword && !found.confirmPassword) notice.current?.focus()
  }

  return (
    <AuthLayout>
      <PageHeading
        title="Reset Password"
        failed={!token || failure !== null || Object.keys(errors).length > 0}
      >
        Reset Password
      </PageHeading>
      <Typography color="textSecondary" sx={{ mt: 1 }}>
        Choose a new password. You will be signed out on every device.
      </Typography>
      {tokenProblem && (
        <Box ref={notice} tabIndex={-1} sx={{ mt: 3 }}>
          <Notice kind="error">
            {tokenProblem} <NewLink />
          </Notice>
        </Box>
      )}
      <FormStack
        noValidate
        onSubmit={(event) => void handleSubmit((values) => reset(values), explain)(event)}
      >
        <NewPasswordField
          label="New password"
          nameInButton="new password"
          text={newPassword}
          error={errors.newPassword?.message}
          {...register('newPassword', { deps: ['confirmPassword'] })}
        />
        <PasswordField
          label="Confirm password"
          nameInButton="confirmed password"
          autoComplete="new-password"
          error={errors.confirmPassword?.message}
          {...register('confirmPassword')}
        />
        <Notice kind="error">
          {failure && (
            <>
              {failure.message} {failure.code === resetLinkVoid.code && <NewLink />}
            </>
          )}
        </Notice>
        <BusyButton type="submit" busy={busy || isSubmitting} fullWidth>
          Reset Password
        </BusyButton>
      </FormStack>
    </AuthLayout>
  )
}
